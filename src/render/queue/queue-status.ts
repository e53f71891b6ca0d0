import { count } from '../../model/count.ts'
import type { QueueStatus, StuckJobs } from '../../model/queue.ts'
import { formatBytes, tableSeconds } from '../units/figures.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { table } from '../text/table.ts'

const said = {
  open: 'The queue is open.',
  paused: 'The queue is paused: workers take nothing. jobmeter queue resume opens it.',
  draining: 'The queue is being drained: it takes no new jobs. jobmeter queue resume opens it.',
} as const

const states = ['waiting', 'queued', 'running'] as const

export function queueStatusText(
  status: QueueStatus,
  stuck: readonly StuckJobs[],
  style: Style,
): string {
  const open = states.map((state) => `${status.jobs[state] ?? 0} ${state}`).join(', ')
  const over = Object.entries(status.jobs)
    .filter(([state]) => !states.some((each) => each === state))
    .map(([state, jobs]) => `${jobs} ${state}`)
  const lines = [
    said[status.state],
    `Jobs: ${open}`,
    ...(over.length === 0 ? [] : [`Over in the last day: ${over.join(', ')}`]),
    ...stuck.map(
      ({ kind, why }) =>
        `${count(kind.jobs, 'job')} of ${printable(kind.user)} (${printable(kind.program)}) cannot begin: ${printable(why)}`,
    ),
  ]
  for (const { host, id, trouble } of status.workers)
    if (trouble !== null)
      lines.push(`${printable(host)} (${id.slice(0, 8)}) takes no jobs: ${printable(trouble)}`)
  const parts = [lines.join('\n')]
  if (status.users.length > 0) parts.push(headed(style, usersTable(status)))
  parts.push(
    status.workers.length > 0 ? headed(style, workersTable(status)) : 'No worker is there.',
  )
  return `${parts.join('\n\n')}\n`
}

function headed(style: Style, text: string): string {
  const [header = '', ...rows] = text.split('\n')
  return [style.bold(header), ...rows].join('\n')
}

const usersTable = ({ users }: QueueStatus): string =>
  table(
    [
      { header: 'User', align: 'left' },
      { header: 'Waiting', align: 'right' },
      { header: 'Running', align: 'right' },
      { header: 'Cores', align: 'right' },
    ],
    users.map(({ user, queued, running, cores }) => [
      printable(user),
      String(queued),
      String(running),
      String(cores),
    ]),
  )

const workersTable = ({ workers }: QueueStatus): string =>
  table(
    [
      { header: 'Worker', align: 'left' },
      { header: 'Id', align: 'left' },
      { header: 'User', align: 'left' },
      { header: 'State', align: 'left' },
      { header: 'Jobs', align: 'right' },
      { header: 'CPUs', align: 'right' },
      { header: 'Memory', align: 'right' },
      { header: 'GPUs', align: 'right' },
      { header: 'Last seen', align: 'right' },
      { header: 'Labels', align: 'left' },
    ],
    workers.map((worker) => [
      printable(worker.host),
      worker.id.slice(0, 8),
      printable(worker.user),
      worker.state,
      String(worker.running),
      String(worker.cpus),
      formatBytes(worker.memoryBytes),
      String(worker.gpus),
      `${tableSeconds(Math.round(worker.silentSeconds))} ago`,
      worker.labels.map(printable).join(','),
    ]),
  )

export const queueStatusJson = (
  { state, jobs, users, workers }: QueueStatus,
  stuck: readonly StuckJobs[],
) => ({
  state,
  jobs,
  users,
  workers: workers.map((worker) => ({
    id: worker.id,
    host: worker.host,
    user: worker.user,
    state: worker.state,
    running: worker.running,
    cpus: worker.cpus,
    memory_bytes: worker.memoryBytes,
    gpus: worker.gpus,
    labels: worker.labels,
    lease_seconds_left: worker.leaseSecondsLeft,
    silent_seconds: worker.silentSeconds,
    trouble: worker.trouble,
  })),
  stuck: stuck.map(({ kind, why }) => ({
    user: kind.user,
    program: kind.program,
    jobs: kind.jobs,
    why,
  })),
})
