import type { Files } from '../../system/system.ts'
import { mostLogBytes, type LogPiece, type LogStreamName } from '../../store/postgres/queue/logs.ts'

/** A piece is no longer than this, */
const pieceBytes = 262_144
/** and no more than this is sent at once. */
const mostBytesAtOnce = 4 * pieceBytes

interface Followed {
  readonly taskId: string
  readonly stream: LogStreamName
  readonly path: string
  sentBytes: number
}

/** Follows what running attempts print, for others to read elsewhere. Of what is printed faster only the end is sent. */
export class WorkerLogs {
  readonly #files: Files
  readonly #followed = new Map<string, readonly Followed[]>()
  readonly #into = Buffer.alloc(pieceBytes)

  constructor(files: Files) {
    this.#files = files
  }

  follow(taskId: string, paths: Readonly<Record<LogStreamName, string>>): void {
    this.#followed.set(
      taskId,
      (['stdout', 'stderr'] as const).map((stream) => ({
        taskId,
        stream,
        path: paths[stream],
        sentBytes: 0,
      })),
    )
  }

  /** What was printed since; of these attempts, or of all. An attempt with nothing left is complete. */
  collect(taskIds: Iterable<string> = this.#followed.keys()): LogPiece[] {
    const pieces: LogPiece[] = []
    let bytes = 0
    for (const taskId of taskIds)
      for (const each of this.#followed.get(taskId) ?? [])
        for (;;) {
          const piece = bytes < mostBytesAtOnce ? this.#next(each) : undefined
          if (piece === undefined) break
          pieces.push(piece)
          bytes += piece.bytes.length
          each.sentBytes = piece.fromByte + piece.bytes.length
        }
    return pieces
  }

  /** These were not kept, and are sent again. */
  takeBack(pieces: readonly LogPiece[]): void {
    for (const { taskId, stream, fromByte } of pieces)
      for (const each of this.#followed.get(taskId) ?? [])
        if (each.stream === stream) each.sentBytes = Math.min(each.sentBytes, fromByte)
  }

  /** All of it is kept elsewhere. What is longer than that stays where it is. */
  forget(taskId: string, isOurs: boolean): void {
    for (const { path, sentBytes } of this.#followed.get(taskId) ?? [])
      if (isOurs && sentBytes > 0 && sentBytes <= mostLogBytes) this.#files.removeFile(path)
    this.#followed.delete(taskId)
  }

  #next({ taskId, stream, path, sentBytes }: Followed): LogPiece | undefined {
    const descriptor = this.#files.openLog(path)
    if (descriptor < 0) return undefined
    try {
      const size = this.#files.lookAt(descriptor, path)?.sizeBytes ?? 0
      const fromByte = Math.max(sentBytes, size - mostLogBytes)
      const length = this.#files.readFrom(descriptor, fromByte, this.#into)
      if (length <= 0) return undefined
      return { taskId, stream, fromByte, bytes: Buffer.from(this.#into.subarray(0, length)) }
    } finally {
      this.#files.close(descriptor)
    }
  }
}
