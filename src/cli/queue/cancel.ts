import { jsonText } from '../../render/text/json-text.ts'
import { queueJobJson, queueJobText } from '../../render/queue/queue-job.ts'
import { isOver, type QueueJob } from '../../model/queue.ts'
import { withQueue } from '../../service/queue/open-queue.ts'
import { addressAsked } from './address.ts'
import { findJob, findJobs } from '../../store/postgres/queue/jobs.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'
import { queueOptions } from './queue-options.ts'

const definition = defineCommand({
  name: 'cancel',
  aliases: [],
  summary: 'Ends jobs of the queue, whether or not they have begun.',
  usage: 'cancel ID... [options]',
  description:
    'A job that runs gets SIGTERM, and is killed after its grace time; cancelled a second time, it is killed at once. The exit code is 1 if one of them was over already, or may not be ended by this role.',
  arguments: [
    { name: 'ids', required: true, variadic: true, says: 'the ids of jobs, or how they begin' },
  ],
  options: queueOptions,
  examples: ['jobmeter cancel 3f8a21b2', 'jobmeter cancel 3f8a21b2 77c0de12 --format json'],
})

const mayNot = ({ user }: QueueJob): string =>
  `this role may see the job and not end it: that may ${user}, roles that are in jobmeter_worker, and administrators`

const cancelledJson = (refused: readonly QueueJob[]) => (job: QueueJob) =>
  refused.includes(job) ? { ...queueJobJson(job), error: mayNot(job) } : queueJobJson(job)

export const execute = commandAction(definition, ({ options, arguments: given, console }) =>
  withQueue(addressAsked(options.db), async (queue) => {
    const found = await Promise.all(given.ids.map((id) => findJob(queue.database, id)))
    const ids = found.map(({ id }) => id)
    const asked = new Set<string>()
    for (const id of ids) if (await queue.cancel(id)) asked.add(id)
    const jobs = await findJobs(queue.database, ids)
    // Neither asked nor over: whoever may see a job need not be allowed to end it.
    const refused = jobs.filter(({ id, state }) => !asked.has(id) && !isOver(state))
    if (options.format === 'json')
      console.print(`${jsonText(jobs.map(cancelledJson(refused)), 2)}\n`)
    else
      for (const job of jobs)
        if (isOver(job.state)) console.note(queueJobText(job))
        else if (asked.has(job.id)) console.note(`${job.id.slice(0, 12)} is asked to end\n`)
    for (const job of refused) console.complain(`${job.id.slice(0, 12)}: ${mayNot(job)}`)
    return ids.every((id) => asked.has(id)) ? 0 : 1
  }),
)
