import { isOver } from '../../model/queue.ts'
import { attemptsOf, findJobs } from '../../store/postgres/queue/jobs.ts'
import { readLogs, type LogStreamName } from '../../store/postgres/queue/logs.ts'
import type { TeamQueue } from '../../store/postgres/queue/team-queue.ts'
import type { Clock } from '../../system/system.ts'

const lookSeconds = 0.25

export interface PrintedPiece {
  readonly attempt: number
  readonly stream: LogStreamName
  /** Bytes before it that are not kept any more, or were never sent. */
  readonly skippedBytes: number
  readonly bytes: Uint8Array
}

export interface LogQuestion {
  readonly jobId: string
  readonly streams: readonly LogStreamName[]
  /** Until the job is over; its later attempts come after the first. */
  readonly follow: boolean
  /** One attempt only. */
  readonly attempt: number | undefined
}

/** What a job of the queue prints, wherever it runs: as far as it is kept, attempt after attempt. */
export async function* followLogs(
  queue: TeamQueue,
  clock: Clock,
  { jobId, streams, follow, attempt }: LogQuestion,
): AsyncGenerator<PrintedPiece> {
  const read = new Map<string, number>()
  for (;;) {
    // Before the logs: what was printed at the very end must not be missed.
    const [job] = await findJobs(queue.database, [jobId])
    const attempts = await attemptsOf(queue.database, [jobId])
    const asked = attempts.filter(({ number }) =>
      attempt === undefined ? follow || number === attempts.at(-1)?.number : number === attempt,
    )
    let hasNews = false
    for (const { taskId, number } of asked)
      for (const stream of streams) {
        const key = `${taskId} ${stream}`
        const before = read.get(key) ?? 0
        for (const piece of await readLogs(queue.database, taskId, stream, before)) {
          const from = read.get(key) ?? 0
          hasNews = true
          yield { attempt: number, stream, skippedBytes: piece.fromByte - from, bytes: piece.bytes }
          read.set(key, piece.fromByte + piece.bytes.length)
        }
      }
    if (hasNews) continue
    if (!follow || job === undefined || isOver(job.state)) return
    await new Promise<void>((resolve) => clock.after(lookSeconds, resolve))
  }
}
