import type { System } from '../system/system.ts'

const chunkBytes = 65_536
const pollSeconds = 0.1

/**
 * Prints a file, and what is added to it for as long as `goesOn`; one that is not there is waited for as long. Byte by
 * byte as it was written: it may be no text at all. Answers how many bytes there were; undefined if there is no such file.
 */
export async function printLog(
  system: System,
  path: string,
  print: (bytes: Uint8Array) => void,
  goesOn: () => boolean,
): Promise<number | undefined> {
  const { files } = system
  const into = new Uint8Array(chunkBytes)
  let descriptor = -1
  let offset = 0
  for (;;) {
    // Asked before the rest is read: what the job wrote at its very end must not be missed.
    const more = goesOn()
    if (descriptor < 0) descriptor = files.openLog(path)
    let length: number
    while ((length = files.readFrom(descriptor, offset, into)) > 0) {
      print(into.subarray(0, length))
      offset += length
    }
    if (!more) break
    await new Promise<void>((resolve) => system.clock.after(pollSeconds, resolve))
  }
  if (descriptor < 0) return undefined
  files.close(descriptor)
  return offset
}
