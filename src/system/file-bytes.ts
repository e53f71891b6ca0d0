import { constants, createReadStream, fstatSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { addAbortSignal, pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

const chunkBytes = 64 * 1024

/**
 * A file chunk by chunk, unpacked if it is compressed with gzip, whatever its name says. `told` hears of bytes that were
 * read. Throws an AbortError when the signal comes, though nothing may be there to read.
 */
export async function* fileBytes(
  path: string,
  signal: AbortSignal,
  told: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const chunks = addAbortSignal(signal, opened(path))[Symbol.asyncIterator]()
  const first = (await chunks.next()) as IteratorResult<Buffer, undefined>
  if (first.done === true) return
  const all = counted(first.value, chunks as AsyncIterator<Buffer>, told)
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
    yield* all
    return
  }
  // An error of either side ends the loop below with it.
  yield* pipeline(Readable.from(all), createGunzip(), () => undefined) as AsyncIterable<Buffer>
}

/**
 * Pipes are read by the event loop: a thread that waits for one, or for somebody to open it, would keep the process from
 * ending.
 */
function opened(path: string): Readable {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return fstatSync(fd).isFIFO()
    ? new Socket({ fd, readable: true, writable: false })
    : createReadStream(path, { fd, highWaterMark: chunkBytes })
}

async function* counted(
  first: Buffer,
  rest: AsyncIterator<Buffer>,
  told: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  told(first.length)
  yield first
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    told(next.value.length)
    yield next.value
  }
}
