import type { Dashboard } from './dashboard.ts'
import { jobPanels, known, sumColumns } from './job-panels.ts'
import { toJob, toUser } from './links.ts'
import { lines, table } from './panel.ts'

const of = 'user=~"$user",name=~"$name"'
const panels = jobPanels(of, 'name')
const perJob = (metric: string): string =>
  `sum by (name) (${metric}{${of}}) / sum by (name) (jobmeter_jobs_finished_total{${of}})`

export const job: Dashboard = {
  id: 'jobmeter-job',
  title: 'jobmeter / Jobs',
  says: 'Jobs of the same name: how often they run, how they end, and what they use and ask for.',
  choices: [
    { name: 'user', label: 'User', query: `label_values(${known()}, user)` },
    { name: 'name', label: 'Job', query: `label_values(${known(',user=~"$user"')}, name)` },
  ],
  rows: [
    { title: 'Now and in this time', panels: panels.now },
    {
      title: 'Over time',
      panels: [
        ...panels.overTime,
        lines(
          { title: 'Mean duration', says: 'Over all runs that are in the ledger.', unit: 's' },
          [{ expr: perJob('jobmeter_jobs_wall_seconds_total'), legend: '{{name}}' }],
        ),
        lines(
          { title: 'Mean CPU time', says: 'Over all runs that are in the ledger.', unit: 's' },
          [{ expr: perJob('jobmeter_jobs_cpu_seconds_total'), legend: '{{name}}' }],
        ),
      ],
    },
    {
      title: 'Each job',
      panels: [
        table(
          { title: 'Jobs', says: 'Over all that is in the ledger.' },
          ['user', 'name'],
          [
            ...sumColumns(of, 'user, name'),
            {
              title: 'memory peak',
              unit: 'bytes',
              expr: `max by (user, name) (jobmeter_jobs_memory_peak_bytes{${of}})`,
            },
            {
              title: 'CPUs asked for',
              unit: 'none',
              expr: `sum by (user, name) (jobmeter_running_requested_cpus{${of}})`,
            },
          ],
          [toUser(), toJob()],
        ),
      ],
    },
  ],
}
