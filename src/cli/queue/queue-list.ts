import { outcomeStatuses } from '../../model/outcome.ts'
import { queueJobJson, queueJobsText } from '../../render/queue/queue-job.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { withQueue } from '../../service/queue/open-queue.ts'
import { listJobs } from '../../store/postgres/queue/jobs.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, zoneOption } from '../command/define.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'
import { addressAsked } from './address.ts'
import { queueOptions } from './queue-options.ts'

const openStates = ['waiting', 'queued', 'running'] as const
const states = [...openStates, ...outcomeStatuses] as const

const definition = defineCommand({
  name: 'queue list',
  aliases: [],
  summary: 'Lists jobs of the queue, the newest first.',
  usage: 'queue list [options]',
  description:
    'Without --status, the jobs that are not over yet: those that wait for another job, are queued, or run.',
  arguments: [],
  options: {
    mine: { type: 'boolean', says: 'only those that you submitted' },
    status: {
      type: 'list',
      commas: true,
      choices: states,
      value: 'STATUS',
      example: 'queued,failed',
      says: `only jobs with one of these statuses: ${states.join(', ')}`,
    },
    limit: {
      type: 'number',
      value: 'N',
      default: 100,
      min: 1,
      whole: true,
      says: 'how many jobs to show at most',
    },
    ...zoneOption,
    ...queueOptions,
  },
  examples: [
    'jobmeter queue list --mine',
    'jobmeter queue list --status failed,interrupted --format json',
  ],
})

export const execute = commandAction(definition, ({ options, console }) => {
  const system = realSystem({ ownsProcess: false })
  return withQueue(addressAsked(options.db, system), async (queue) => {
    await queue.reap()
    const asked = states.filter((state) => options.status.includes(state))
    const jobs = await listJobs(queue.database, {
      user: options.mine ? await queue.nameFor(system.host.user) : undefined,
      states: asked.length === 0 ? openStates : asked,
      limit: options.limit,
    })
    console.print(
      options.format === 'json'
        ? `${jsonText(jobs.map(queueJobJson), 2)}\n`
        : queueJobsText(jobs, zoneAsked(options), console.style(1)),
    )
    return 0
  })
})
