import { jsonText } from '../../render/text/json-text.ts'
import { printable } from '../../render/text/printable.ts'
import { queueJobJson, queueJobText } from '../../render/queue/queue-job.ts'
import { withQueue } from '../../service/queue/open-queue.ts'
import { addressAsked } from './address.ts'
import { tellWhatIsStuck } from '../../service/queue/stuck-jobs.ts'
import { waitForJobs } from '../../service/queue/wait-for-jobs.ts'
import { isOver, type QueueJob } from '../../model/queue.ts'
import { findJob } from '../../store/postgres/queue/jobs.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'
import { queueOptions } from './queue-options.ts'
import { sayHowToGoOn } from './say-how-to-go-on.ts'

const definition = defineCommand({
  name: 'wait',
  aliases: [],
  summary: 'Waits until jobs of the queue are over.',
  usage: 'wait ID... [options]',
  description:
    'The exit code is that of the job: 124 if it ran out of time, 130 if it was cancelled and has none but 0, 1 if it never ran or was interrupted. It is 0 only if the job succeeded. Of several jobs, it is that of the first one that did not succeed.',
  arguments: [
    { name: 'ids', required: true, variadic: true, says: 'the ids of jobs, or how they begin' },
  ],
  options: {
    timeout: {
      type: 'duration',
      value: 'TIME',
      min: 0.001,
      says: 'give up after this time, with exit code 75; the jobs go on',
    },
    ...queueOptions,
  },
  examples: ['jobmeter wait 3f8a21b2', 'jobmeter wait 3f8a21b2 77c0de12 --timeout 1h'],
})

/** As sysexits.h has it: come back later. */
const notOverCode = 75

export const execute = commandAction(definition, ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  return withQueue(addressAsked(options.db, system), async (queue) => {
    const found = await Promise.all(given.ids.map((id) => findJob(queue.database, id)))
    const ids = found.map(({ id }) => id)
    sayHowToGoOn(system, ids, options.db, console)
    const tell = (warning: string): void => console.complain(printable(warning))
    const stopTelling = tellWhatIsStuck(queue, system.clock, ids, tell)
    const waits = { clock: system.clock, note: tell, mostSeconds: options.timeout }
    const jobs = await waitForJobs(queue, ids, waits).finally(stopTelling)
    if (options.format === 'json') console.print(`${jsonText(jobs.map(queueJobJson), 2)}\n`)
    else for (const job of jobs) console.note(queueJobText(job))
    return exitCodeOfJobs(jobs)
  })
})

/** That of the first job which did not succeed. */
export function exitCodeOfJobs(jobs: readonly QueueJob[]): number {
  const open = jobs.find(({ state }) => !isOver(state))
  if (open !== undefined) return notOverCode
  const bad = jobs.find(({ state }) => state !== 'success')
  if (bad === undefined) return 0
  // A job may exit with 0 when it is told to end.
  if (bad.exitCode !== null && bad.exitCode !== 0) return bad.exitCode
  return bad.state === 'cancelled' ? 130 : 1
}
