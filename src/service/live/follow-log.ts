import type { System } from '../../system/system.ts'
import { GrowingLog, type LogPiece } from './growing-log.ts'

const pollSeconds = 0.2
/** Of the last lines: one may be as long as a whole file. */
const mostTailBytes = 1_048_576

/** Where to begin: with the last lines, or at a byte. */
export type LogStart = { readonly lastLines: number } | { readonly offset: number }

/**
 * Gives a log out piece by piece, then what is added to it for as long as `goesOn`, to its very end. Nothing is read ahead:
 * who takes pieces slowly makes nothing grow. Ends early when the signal says so.
 */
export async function* followLog(
  system: System,
  path: string,
  start: LogStart,
  goesOn: () => boolean | Promise<boolean>,
  signal?: AbortSignal,
): AsyncGenerator<LogPiece, void> {
  const log = new GrowingLog(system.files, path)
  try {
    if ('offset' in start) log.seek(start.offset)
    else log.seekLastLines(start.lastLines, mostTailBytes)
    const isOver = (): boolean => signal?.aborted === true
    while (!isOver()) {
      // Asked before the rest is read: what the job wrote at its very end must not be missed.
      const more = await goesOn()
      for (let piece = log.next(); piece !== undefined; piece = log.next()) {
        yield piece
        if (isOver()) return
      }
      if (!more) return
      await pause(system, signal)
    }
  } finally {
    log.close()
  }
}

async function pause({ clock }: System, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const cancel = clock.after(pollSeconds, done)
    function done(): void {
      cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    signal?.addEventListener('abort', done)
  })
}
