import type { Dashboard } from './dashboard.ts'
import { jobPanels, known, sumColumns } from './job-panels.ts'
import { toJob, toUser } from './links.ts'
import { lines, table } from './panel.ts'

const of = 'user=~"$user"'
const panels = jobPanels(of, 'user')

export const user: Dashboard = {
  id: 'jobmeter-user',
  title: 'jobmeter / Users',
  says: 'What users run, what that takes, and how it ends.',
  choices: [{ name: 'user', label: 'User', query: `label_values(${known()}, user)` }],
  rows: [
    { title: 'Now and in this time', panels: panels.now },
    {
      title: 'Over time',
      panels: [
        ...panels.overTime,
        lines(
          {
            title: 'CPU time per second',
            says: 'Of jobs that ended, at the time of their end.',
            unit: 'none',
            width: 24,
          },
          [
            {
              expr: `sum by (user) (rate(jobmeter_jobs_cpu_seconds_total{${of}}[$__rate_interval]))`,
              legend: '{{user}}',
            },
          ],
        ),
      ],
    },
    {
      title: 'Each user',
      panels: [
        table(
          { title: 'Users', says: 'Over all that is in the ledger.', width: 12 },
          ['user'],
          sumColumns(of, 'user'),
          [toUser()],
        ),
        table(
          {
            title: 'Jobs with the most CPU time',
            says: 'Over all that is in the ledger.',
            width: 12,
          },
          ['user', 'name'],
          [
            {
              title: 'CPU time',
              unit: 's',
              expr: `topk(50, sum by (user, name) (jobmeter_jobs_cpu_seconds_total{${of}}))`,
            },
          ],
          [toUser(), toJob()],
        ),
      ],
    },
  ],
}
