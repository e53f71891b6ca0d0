import { basename, dirname } from 'node:path'
import type { Files } from '../../system/system.ts'
import {
  mostLogBytes,
  type LogPaths,
  type LogPiece,
  type LogStreamName,
} from '../../store/postgres/queue/logs.ts'

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

/** Where what the jobs of workers print goes, beside their ledger. */
export const logDirectoryFor = (ledger: string): string => `${dirname(ledger)}/queue-logs`

/** The files of an attempt. The sign of life of its worker is in their names, for others to see whether they are needed. */
export const logPathsFor = (directory: string, sign: string, taskId: string): LogPaths => ({
  stdout: `${directory}/${taskId}.${sign}.out`,
  stderr: `${directory}/${taskId}.${sign}.err`,
})

/** What a worker has to tell. */
export const resultsPathFor = (directory: string, sign: string): string =>
  `${directory}/${sign}.results`

/** The files of one worker. */
export interface LeftFiles {
  readonly sign: string
  readonly results: string
  readonly logs: ReadonlyMap<string, LogPaths>
}

/** The files of all workers on a ledger, but for those that are kept. */
export function leftIn(files: Files, directory: string): readonly LeftFiles[] {
  const names = files.list(directory)
  const found = (names.kind === 'ok' ? names.value : []).flatMap((name) => {
    const { taskId, sign } = namePattern.exec(name)?.groups ?? {}
    return sign === undefined ? [] : [{ taskId, sign }]
  })
  return Array.from(
    Map.groupBy(found, ({ sign }) => sign),
    ([sign, ofOne]) => {
      const taskIds = new Set(ofOne.flatMap(({ taskId }) => taskId ?? []))
      const logs = Array.from(taskIds, (id) => [id, logPathsFor(directory, sign, id)] as const)
      return { sign, results: resultsPathFor(directory, sign), logs: new Map(logs) }
    },
  )
}

const namePattern = /^(?:(?<taskId>[0-9a-f]{32})\.)?(?<sign>[0-9a-f]{32})\.(?:out|err|results)$/

/** Without the sign of its worker, which is done with it. */
const keptPath = (path: string): string =>
  `${dirname(path)}/${basename(path).replace(/\.[0-9a-f]{32}\./, '.')}`

/** Follows what running attempts print, for others to read elsewhere. Of what is printed faster only the end is sent. */
export class WorkerLogs {
  readonly #files: Files
  readonly #followed = new Map<string, readonly Followed[]>()
  readonly #into = Buffer.alloc(pieceBytes)

  constructor(files: Files) {
    this.#files = files
  }

  /** `sent`: how much of it others have. */
  follow(taskId: string, paths: LogPaths, sent = { stdout: 0, stderr: 0 }): void {
    this.#followed.set(
      taskId,
      (['stdout', 'stderr'] as const).map((stream) => ({
        taskId,
        stream,
        path: paths[stream],
        sentBytes: sent[stream],
      })),
    )
  }

  /** What was printed since by those that run: some of it, and next time first of those that had to wait. */
  news(taskIds: Iterable<string>): LogPiece[] {
    const running = new Set(taskIds)
    const pieces: LogPiece[] = []
    let bytes = 0
    for (const [taskId, streams] of Array.from(this.#followed)) {
      if (!running.has(taskId)) continue
      if (bytes >= mostBytesAtOnce) break
      const found = streams.flatMap((each) => this.#next(each) ?? [])
      if (found.length === 0) continue
      pieces.push(...found)
      for (const piece of found) bytes += piece.bytes.length
      this.#followed.delete(taskId)
      this.#followed.set(taskId, streams)
    }
    return pieces
  }

  /** All that is left of attempts that are over: of each stream as much as is kept, should somebody still write to it. */
  *rest(taskIds: readonly string[]): Generator<readonly LogPiece[]> {
    const streams = taskIds.flatMap((taskId) => this.#followed.get(taskId) ?? [])
    let pieces: LogPiece[] = []
    let bytes = 0
    for (const each of streams)
      for (let count = 0; count < mostLogBytes / pieceBytes; count++) {
        const piece = this.#next(each)
        if (piece === undefined) break
        pieces.push(piece)
        bytes += piece.bytes.length
        if (bytes >= mostBytesAtOnce) {
          yield pieces
          pieces = []
          bytes = 0
        }
        if (piece.bytes.length < pieceBytes) break
      }
    if (pieces.length > 0) yield pieces
  }

  /** These were not kept, and are sent again. */
  takeBack(pieces: readonly LogPiece[]): void {
    for (const { taskId, stream, fromByte } of pieces)
      for (const each of this.#followed.get(taskId) ?? [])
        if (each.stream === stream) each.sentBytes = Math.min(each.sentBytes, fromByte)
  }

  /** Undefined of an attempt that is not followed. */
  pathsOf(taskId: string): LogPaths | undefined {
    const [stdout, stderr] = this.#followed.get(taskId) ?? []
    if (stdout === undefined || stderr === undefined) return undefined
    return { stdout: stdout.path, stderr: stderr.path }
  }

  /** All of it is kept elsewhere. Of what is in this directory, what is longer than that stays, under a shorter name. */
  forget(taskId: string, directory: string): void {
    for (const { path, sentBytes } of this.#followed.get(taskId) ?? []) {
      if (sentBytes === 0 || dirname(path) !== directory) continue
      if (sentBytes <= mostLogBytes) this.#files.removeFile(path)
      else this.#files.rename(path, keptPath(path))
    }
    this.#followed.delete(taskId)
  }

  #next(each: Followed): LogPiece | undefined {
    const { taskId, stream, path, sentBytes } = each
    const descriptor = this.#files.openLog(path)
    if (descriptor < 0) return undefined
    try {
      const size = this.#files.lookAt(descriptor, path)?.sizeBytes ?? 0
      const fromByte = Math.max(sentBytes, size - mostLogBytes)
      const length = this.#files.readFrom(descriptor, fromByte, this.#into)
      if (length <= 0) return undefined
      each.sentBytes = fromByte + length
      return { taskId, stream, fromByte, bytes: Buffer.from(this.#into.subarray(0, length)) }
    } finally {
      this.#files.close(descriptor)
    }
  }
}
