import type { QueueTrail } from '../../model/queue.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'

/** Which attempts there were at a job of the queue, under the one whose details are shown. */
export function queueTrailText(
  { jobId, state, attempts }: QueueTrail,
  shownTaskId: string,
  style: Style,
): string {
  const lines = attempts.map(({ taskId, number, status, host, reason }) => {
    const why = reason === null || status === 'success' ? '' : `: ${printable(reason)}`
    const shown = taskId === shownTaskId ? ' (shown above)' : ''
    return `Attempt ${number}: ${taskId.slice(0, 12)} ${status} on ${printable(host)}${why}${shown}`
  })
  const title = style.bold('Queue:')
  const job = `Job: ${jobId}${state === null ? '' : `, ${state}`}`
  return `${[title, ...[job, ...lines].map((line) => `  ${line}`)].join('\n')}\n`
}

export const queueTrailJson = ({ jobId, state, attempts }: QueueTrail) => ({
  id: jobId,
  state,
  attempts: attempts.map(({ taskId, number, status, host, reason }) => ({
    task_id: taskId,
    attempt: number,
    status,
    host,
    reason,
  })),
})
