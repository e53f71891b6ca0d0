import { saysEndedLeft } from '../../model/outcome.ts'
import type { QueueJob } from '../../model/queue.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { table } from '../text/table.ts'
import { utcTime } from '../units/iso-time.ts'
import { isoTime, type Zone } from '../units/zoned-time.ts'

export const queueJobJson = (job: QueueJob) => ({
  id: job.id,
  name: job.name,
  user: job.user,
  state: job.state,
  priority: job.priority,
  attempts: job.attempts,
  exit_code: job.exitCode,
  reason: job.reason,
  submitted_at: utcTime(job.submittedAt),
  ended_at: utcTime(job.endedAt),
  host: job.host,
  command: job.order.command,
})

/** One line on how it stands. */
export function queueJobText(job: QueueJob): string {
  const { id, name, state, host, reason, exitCode } = job
  const where = host === null ? '' : ` on ${printable(host)}`
  const code = exitCode === null || exitCode === 0 ? '' : `, exit code ${exitCode}`
  const isSaid = state !== 'success' || saysEndedLeft(reason)
  const why = reason === null || !isSaid ? '' : `: ${printable(reason)}`
  return `${id.slice(0, 12)} ${printable(name)}: ${state}${where}${code}${why}\n`
}

/** What waits, runs and has ended, the newest first. */
export function queueJobsText(jobs: readonly QueueJob[], zone: Zone, style: Style): string {
  if (jobs.length === 0) return 'The queue has no such jobs.\n'
  const text = table(
    [
      { header: 'Job', align: 'left' },
      { header: 'Name', align: 'left' },
      { header: 'User', align: 'left' },
      { header: 'State', align: 'left' },
      { header: 'Attempts', align: 'right' },
      { header: 'Submitted', align: 'left' },
      { header: 'Worker', align: 'left' },
    ],
    jobs.map((job) => [
      job.id.slice(0, 12),
      printable(job.name),
      printable(job.user),
      job.state,
      String(job.attempts),
      isoTime(job.submittedAt, zone),
      job.host === null ? '' : printable(job.host),
    ]),
  )
  const [header = '', ...rows] = text.split('\n')
  return `${[style.bold(header), ...rows].join('\n')}\n`
}
