import { GrowingLog } from '../../service/live/growing-log.ts'
import type { System } from '../../system/system.ts'

const pollSeconds = 0.1
const lineFeed = 10

/** A file that a job writes to, and what to call it above its part of the output. */
export interface LogStream {
  readonly heading: string
  readonly path: string
}

/**
 * Prints logs one after the other, and what is added to them for as long as `goesOn`; a file that is not there yet may still
 * come. Byte by byte as it was written: it may be no text at all. A heading stands where the output goes over to another
 * file, and above the first one where more than that has something to say. Answers whether anything was printed.
 */
export async function printLogs(
  system: System,
  streams: readonly LogStream[],
  print: (bytes: Uint8Array) => void,
  goesOn: () => Promise<boolean>,
): Promise<boolean> {
  const logs = streams.map((stream) => new Log(system, stream))
  const isShared = logs.slice(1).some((log) => log.hasContent())
  const printer = new HeadedPrinter(print, isShared ? undefined : logs[0])
  for (;;) {
    // Asked before the rest is read: what the job wrote at its very end must not be missed.
    const more = await goesOn()
    for (const log of logs) for (const bytes of log.news()) printer.print(log, bytes)
    if (!more) break
    await new Promise<void>((resolve) => system.clock.after(pollSeconds, resolve))
  }
  for (const log of logs) log.close()
  return printer.hasPrinted
}

/** The same for logs that are no longer written to, each with its heading, in constant memory however many they are. */
export function printEndedLogs(
  system: System,
  streams: Iterable<LogStream>,
  print: (bytes: Uint8Array) => void,
): boolean {
  const printer = new HeadedPrinter(print, undefined)
  for (const stream of streams) {
    const log = new Log(system, stream)
    for (const bytes of log.news()) printer.print(log, bytes)
    log.close()
  }
  return printer.hasPrinted
}

/** A log under the heading of its part of the output. */
class Log extends GrowingLog {
  readonly heading: string

  constructor({ files }: System, { heading, path }: LogStream) {
    super(files, path)
    this.heading = heading
  }

  /** What has been written since the last time; each piece is good until the next is asked for. */
  *news(): Generator<Uint8Array> {
    for (let piece = this.next(); piece !== undefined; piece = this.next()) yield piece.bytes
  }
}

class HeadedPrinter {
  hasPrinted = false
  readonly #print: (bytes: Uint8Array) => void
  #current: Log | undefined
  #endsLine = true

  constructor(print: (bytes: Uint8Array) => void, current: Log | undefined) {
    this.#print = print
    this.#current = current
  }

  print(log: Log, bytes: Uint8Array): void {
    if (log !== this.#current) {
      const before = `${this.#endsLine ? '' : '\n'}${this.hasPrinted ? '\n' : ''}`
      this.#print(new TextEncoder().encode(`${before}==> ${log.heading} <==\n`))
      this.#current = log
    }
    this.#print(bytes)
    this.hasPrinted = true
    this.#endsLine = bytes.at(-1) === lineFeed
  }
}
