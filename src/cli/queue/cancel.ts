import { jsonText } from '../../render/text/json-text.ts'
import { queueJobJson, queueJobText } from '../../render/queue/queue-job.ts'
import { isOver } from '../../model/queue.ts'
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
    'A job that runs gets SIGTERM, and is killed after its grace time; cancelled a second time, it is killed at once. The exit code is 1 if one of them was over already.',
  arguments: [
    { name: 'ids', required: true, variadic: true, says: 'the ids of jobs, or how they begin' },
  ],
  options: queueOptions,
  examples: ['jobmeter cancel 3f8a21b2', 'jobmeter cancel 3f8a21b2 77c0de12 --format json'],
})

export const execute = commandAction(definition, ({ options, arguments: given, console }) =>
  withQueue(addressAsked(options.db), async (queue) => {
    const found = await Promise.all(given.ids.map((id) => findJob(queue.database, id)))
    const ids = found.map(({ id }) => id)
    let wereAllOpen = true
    for (const id of ids) wereAllOpen = (await queue.cancel(id)) && wereAllOpen
    const jobs = await findJobs(queue.database, ids)
    if (options.format === 'json') console.print(`${jsonText(jobs.map(queueJobJson), 2)}\n`)
    else
      for (const job of jobs)
        console.note(
          isOver(job.state) ? queueJobText(job) : `${job.id.slice(0, 12)} is asked to end\n`,
        )
    return wereAllOpen ? 0 : 1
  }),
)
