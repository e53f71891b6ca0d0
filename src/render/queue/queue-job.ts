import type { QueueJob } from '../../model/queue.ts'
import { printable } from '../text/printable.ts'
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
  host: job.host,
  command: job.order.command,
})

/** One line on how it stands. */
export function queueJobText(job: QueueJob): string {
  const { id, name, state, host, reason, exitCode } = job
  const where = host === null ? '' : ` on ${printable(host)}`
  const code = exitCode === null || exitCode === 0 ? '' : `, exit code ${exitCode}`
  const why = reason === null || state === 'success' ? '' : `: ${printable(reason)}`
  return `${id.slice(0, 12)} ${printable(name)}: ${state}${where}${code}${why}\n`
}
