import { followLogs } from '../../service/queue/follow-logs.ts'
import { withQueue } from '../../service/queue/open-queue.ts'
import { findJob } from '../../store/postgres/queue/jobs.ts'
import { QueueError } from '../../store/postgres/queue/queue-error.ts'
import type { System } from '../../system/system.ts'
import type { Console } from '../terminal/console.ts'
import { printPieces } from './print-pieces.ts'
import { queueOfLedger } from './queue-of-ledger.ts'

interface LogOptions {
  readonly follow: boolean
  readonly stdout: boolean
  readonly stderr: boolean
  readonly attempt: number | undefined
  readonly db: string | undefined
}

/** Prints what a job of the queue wrote; undefined where no queue is known, or it has no such job. */
export async function printQueueLogs(
  system: System,
  id: string,
  options: LogOptions,
  console: Console,
): Promise<number | undefined> {
  const address = await queueOfLedger(system, options.db)
  if (address === undefined) return undefined
  return withQueue(address, async (queue) => {
    const job = await findJob(queue.database, id).catch((error: unknown) => {
      if (error instanceof QueueError && error.code === 'unknown-job') return undefined
      throw error
    })
    if (job === undefined) return undefined
    const both = options.stdout === options.stderr
    const streams = (['stdout', 'stderr'] as const).filter((stream) => both || options[stream])
    const question = { jobId: job.id, streams, follow: options.follow, attempt: options.attempt }
    const pieces = followLogs(queue, system.clock, question)
    if (!(await printPieces(pieces, console, { isStderrApart: both })))
      console.complain(`job ${job.id.slice(0, 12)} has written nothing`)
    if (job.attempts > 1 && options.attempt === undefined && !options.follow)
      console.complain(`this is of attempt ${job.attempts}; for the others, --attempt N`)
    return 0
  })
}
