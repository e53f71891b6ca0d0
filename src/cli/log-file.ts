import type { System } from '../system/system.ts'

const chunkBytes = 65_536
const pollSeconds = 0.1

/**
 * Prints a file, and what is added to it for as long as `goesOn`. Byte by byte as it was written: it
 * may be no text at all. False if there is no such file.
 */
export async function printLog(
  system: System,
  path: string,
  print: (bytes: Uint8Array) => void,
  goesOn: () => boolean,
): Promise<boolean> {
  const descriptor = system.files.openLog(path)
  if (descriptor < 0) return false
  const into = new Uint8Array(chunkBytes)
  let offset = 0
  for (;;) {
    // Asked before the rest is read: what the job wrote at its very end must not be missed.
    const more = goesOn()
    let length: number
    while ((length = system.files.readFrom(descriptor, offset, into)) > 0) {
      print(into.subarray(0, length))
      offset += length
    }
    if (!more) break
    await new Promise<void>((resolve) => system.clock.after(pollSeconds, resolve))
  }
  system.files.close(descriptor)
  return true
}
