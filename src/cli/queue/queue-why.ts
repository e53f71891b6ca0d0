import { queueJobJson, queueJobText } from '../../render/queue/queue-job.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { printable } from '../../render/text/printable.ts'
import { withQueue } from '../../service/queue/open-queue.ts'
import { whyWaiting } from '../../service/queue/why-waiting.ts'
import { findJob } from '../../store/postgres/queue/jobs.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'
import { addressAsked } from './address.ts'
import { queueOptions } from './queue-options.ts'

const definition = defineCommand({
  name: 'queue why',
  aliases: [],
  summary: 'Says why a job of the queue has not begun.',
  usage: 'queue why ID [options]',
  description:
    'The exit code is 1 if the job cannot begin as things stand: no worker that is alive accepts it, or the queue is paused.',
  arguments: [{ name: 'id', required: true, says: 'the id of a job, or how it begins' }],
  options: queueOptions,
  examples: ['jobmeter queue why 3f8a21b2', 'jobmeter queue why 3f8a21b2 --format json'],
})

export const execute = commandAction(definition, ({ options, arguments: { id }, console }) =>
  withQueue(addressAsked(options.db), async (queue) => {
    await queue.reap()
    const job = await findJob(queue.database, id)
    const { why, isStuck } = await whyWaiting(queue, job)
    if (options.format === 'json')
      console.print(`${jsonText({ ...queueJobJson(job), why, is_stuck: isStuck }, 2)}\n`)
    else console.print(`${queueJobText(job)}${why === null ? '' : `${printable(why)}\n`}`)
    return isStuck ? 1 : 0
  }),
)
