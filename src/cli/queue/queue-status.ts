import { queueStatusJson, queueStatusText } from '../../render/queue/queue-status.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { withQueue } from '../../service/queue/open-queue.ts'
import { stuckJobs } from '../../service/queue/stuck-jobs.ts'
import { addressAsked } from './address.ts'
import { queueStatus } from '../../store/postgres/queue/status.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'
import { queueOptions } from './queue-options.ts'

const definition = defineCommand({
  name: 'queue status',
  aliases: [],
  summary: 'Shows what waits in the queue, what runs, and which workers are there.',
  usage: 'queue status [options]',
  arguments: [],
  options: queueOptions,
  examples: ['jobmeter queue status', 'jobmeter queue status --format json'],
})

export const execute = commandAction(definition, ({ options, console }) =>
  withQueue(addressAsked(options.db), async (queue) => {
    // Who may only look sees what others have found out.
    await queue.reap().catch(() => 0)
    const status = await queueStatus(queue.database)
    const stuck = await stuckJobs(queue, 'all')
    console.print(
      options.format === 'json'
        ? `${jsonText(queueStatusJson(status, stuck), 2)}\n`
        : queueStatusText(status, stuck, console.style(1)),
    )
    return 0
  }),
)
