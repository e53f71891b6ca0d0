import type { System } from '../../system/system.ts'
import { Problem } from '../problem.ts'
import { partOf, type Part } from './byte-range.ts'

const pieceBytes = 65_536

/** The bytes of a log, piece by piece as they are read by whoever asked. One that was never written to is empty. */
export function logBytes(
  { files }: Pick<System, 'files'>,
  path: string,
  asked: { readonly tail: number | undefined; readonly range: string | undefined },
): Response {
  const descriptor = files.openLog(path)
  if (descriptor < 0 && !files.isMissing(path))
    throw new Problem(404, 'The log is not a plain file, or not the server’s to read.')
  const size = descriptor < 0 ? 0 : (files.lookAt(descriptor, path)?.sizeBytes ?? 0)
  const headers = {
    'content-type': 'application/octet-stream',
    'accept-ranges': 'bytes',
    'content-disposition': 'attachment',
  }
  const part = asked.range === undefined ? undefined : partOf(asked.range, size)
  if (part === 'none') {
    if (descriptor >= 0) files.close(descriptor)
    throw new Problem(416, 'The log has no such part.', { 'content-range': `bytes */${size}` })
  }
  const whole = { from: asked.tail === undefined ? 0 : Math.max(0, size - asked.tail), to: size }
  const { from, to } = part ?? whole
  return new Response(descriptor < 0 ? '' : piecesOf(files, descriptor, { from, to }), {
    status: part === undefined ? 200 : 206,
    headers: {
      ...headers,
      'content-length': String(to - from),
      ...(part === undefined ? {} : { 'content-range': `bytes ${from}-${to - 1}/${size}` }),
    },
  })
}

function piecesOf(
  files: System['files'],
  descriptor: number,
  { from, to }: Part,
): ReadableStream<Uint8Array> {
  let at = from
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = new Uint8Array(Math.min(pieceBytes, to - at))
        const length = piece.length === 0 ? 0 : files.readFrom(descriptor, at, piece)
        at += Math.max(0, length)
        if (length > 0) controller.enqueue(piece.subarray(0, length))
        if (length > 0 && at < to) return
        files.close(descriptor)
        // A log that became shorter meanwhile cannot be sent as was said.
        if (at < to) controller.error(new Error('the log became shorter'))
        else controller.close()
      },
      cancel: () => files.close(descriptor),
    },
    { highWaterMark: 0 },
  )
}
