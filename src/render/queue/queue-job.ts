import { saysEndedLeft } from '../../model/outcome.ts'
import type { QueueJob } from '../../model/queue.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { table } from '../text/table.ts'
import { briefSeconds } from '../units/brief-figures.ts'
import { utcTime } from '../units/iso-time.ts'

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
  run_seconds: job.runSeconds,
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

/** What waits, runs and has ended, the newest first, as it stands now. */
export function queueJobsText(jobs: readonly QueueJob[], nowSeconds: number, style: Style): string {
  if (jobs.length === 0) return 'The queue has no such jobs.\n'
  const text = table(
    [
      { header: 'Job', align: 'left' },
      { header: 'Name', align: 'left' },
      { header: 'User', align: 'left' },
      { header: 'State', align: 'left' },
      { header: 'Attempts', align: 'right' },
      { header: 'Age', align: 'right' },
      { header: 'Runtime', align: 'right' },
      { header: 'Worker', align: 'left' },
    ],
    jobs.map((job) => [
      job.id.slice(0, 12),
      printable(job.name),
      printable(job.user),
      job.state,
      String(job.attempts),
      lasted(nowSeconds - job.submittedAt),
      job.runSeconds === null || job.state === 'queued' ? '' : lasted(job.runSeconds),
      job.host === null ? '' : printable(job.host),
    ]),
  )
  const [header = '', ...rows] = text.split('\n')
  return `${[style.bold(header), ...rows].join('\n')}\n`
}

/** To a tenth of a second at most. The clock of the database may be a little ahead of ours. */
function lasted(seconds: number): string {
  const scale = seconds < 10 ? 10 : 1
  return briefSeconds(Math.max(0, Math.round(seconds * scale) / scale))
}
