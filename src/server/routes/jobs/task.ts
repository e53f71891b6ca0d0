import { z } from '@hono/zod-openapi'
import type { JobRecord } from '../../../model/record.ts'
import type { LedgerReader } from '../../../store/ledger/ledger-reader.ts'
import { Problem } from '../../problem.ts'
import type { Served } from '../../served.ts'

/** Of a task id: programs shorten it where people read it. */
const beginning = /^[0-9a-f]{6,32}$/

/** The attempt that a path names. */
export const task = {
  task_id: z.string().openapi({
    description: '32 hexadecimal digits, or the first 6 or more where no other attempt begins so',
    pattern: beginning.source,
    example: '3f8a21b2c4d5e6f708192a3b4c5d6e7f',
  }),
} as const

/** Nothing is told of one that is somebody else's, not even that it is there. */
export async function findTask(
  { jobs }: LedgerReader,
  { task_id: taskId }: { readonly task_id: string },
  { catchUp }: Pick<Served, 'catchUp'>,
): Promise<JobRecord> {
  if (!beginning.test(taskId))
    throw new Problem(
      404,
      'This is no task id. One has 32 digits, each 0 to 9 or a to f; the first 6 or more will do.',
    )
  let found = await jobs.findByPrefix(taskId)
  if (found.length === 0) {
    // Who names it has heard of it, perhaps before the ledger has.
    await catchUp()
    found = await jobs.findByPrefix(taskId)
  }
  const [record] = found
  if (record === undefined)
    throw new Problem(404, 'No attempt at a job has a task id that begins so.')
  if (found.some((another) => another.taskId !== record.taskId))
    throw new Problem(404, 'Several task ids begin so: give more of its digits.')
  return record
}
