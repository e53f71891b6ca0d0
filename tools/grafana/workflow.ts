import type { Dashboard } from './dashboard.ts'
import { toUser, toWorkflow } from './links.ts'
import { lines, stat, table } from './panel.ts'

const of = 'workflow=~"$workflow",workflow_id=~"$workflow_id"'
const jobs = (more = ''): string => `sum(jobmeter_workflow_jobs{${of}${more}})`
const left = ',state=~"waiting|running"'
const ended = ',state!~"waiting|running"'
const bad = ',state!~"waiting|running|success"'
const start = `jobmeter_workflow_run_start_time_seconds{${of}}`
const end = `jobmeter_workflow_run_end_time_seconds{${of}}`
const one = 'workflow_id, workflow, user'

export const workflow: Dashboard = {
  id: 'jobmeter-workflow',
  title: 'jobmeter / Workflows',
  says: 'Workflows that are being run, or ended within a day: how far they are, and what failed.',
  choices: [
    {
      name: 'workflow',
      label: 'Workflow',
      query: 'label_values(jobmeter_workflow_jobs, workflow)',
    },
    {
      name: 'workflow_id',
      label: 'Id',
      query: 'label_values(jobmeter_workflow_jobs{workflow=~"$workflow"}, workflow_id)',
    },
  ],
  rows: [
    {
      title: 'Now',
      panels: [
        stat(
          { title: 'Done', says: 'Of all jobs, those that have ended.', unit: 'percentunit' },
          { expr: `${jobs(ended)} / ${jobs()}` },
        ),
        stat({ title: 'Jobs', says: 'In all.', unit: 'none' }, { expr: jobs() }),
        stat(
          { title: 'Running', says: 'Jobs that run now.', unit: 'none' },
          { expr: jobs(',state="running"') },
        ),
        stat(
          { title: 'Waiting', says: 'Jobs that have not been started yet.', unit: 'none' },
          { expr: jobs(',state="waiting"') },
        ),
        stat(
          {
            title: 'Did not succeed',
            says: 'Failed, timed out, interrupted or cancelled.',
            unit: 'none',
          },
          { expr: jobs(bad) },
          { warn: 1, act: 10 },
        ),
        stat(
          {
            title: 'Longest run',
            says: 'How long the last run took, or has taken so far.',
            unit: 's',
          },
          { expr: `max((${end} or (0 * ${start} + time())) - ${start})` },
        ),
      ],
    },
    {
      title: 'Progress',
      panels: [
        lines(
          { title: 'Jobs by state', says: 'Of all workflows that are chosen.', unit: 'none' },
          [{ expr: `sum by (state) (jobmeter_workflow_jobs{${of}})`, legend: '{{state}}' }],
          { stack: true },
        ),
        lines({ title: 'Done', says: 'Of the jobs of each workflow.', unit: 'percentunit' }, [
          {
            expr: `sum by (${one}) (jobmeter_workflow_jobs{${of}${ended}}) / sum by (${one}) (jobmeter_workflow_jobs{${of}})`,
            legend: '{{workflow}} {{workflow_id}}',
          },
        ]),
        lines(
          {
            title: 'Jobs that ended per minute',
            says: 'Over the last quarter of an hour.',
            unit: 'none',
          },
          [
            {
              expr: `60 * sum by (${one}) (deriv(jobmeter_workflow_jobs{${of}${ended}}[15m]))`,
              legend: '{{workflow}} {{workflow_id}}',
            },
          ],
        ),
        lines(
          {
            title: 'Jobs left',
            says: 'Those that wait or run. Where the line meets the axis, the workflow is done.',
            unit: 'none',
          },
          [
            {
              expr: `sum by (${one}) (jobmeter_workflow_jobs{${of}${left}})`,
              legend: '{{workflow}} {{workflow_id}}',
            },
          ],
        ),
      ],
    },
    {
      title: 'Each workflow',
      panels: [
        table(
          { title: 'Workflows', says: 'As they are now.' },
          ['workflow_id', 'workflow', 'user'],
          [
            {
              title: 'jobs',
              unit: 'none',
              expr: `sum by (${one}) (jobmeter_workflow_jobs{${of}})`,
            },
            {
              title: 'left',
              unit: 'none',
              expr: `sum by (${one}) (jobmeter_workflow_jobs{${of}${left}})`,
            },
            {
              title: 'not successful',
              unit: 'none',
              expr: `sum by (${one}) (jobmeter_workflow_jobs{${of}${bad}})`,
            },
            {
              title: 'started',
              unit: 'dateTimeAsLocal',
              expr: `1000 * sum by (${one}) (${start})`,
            },
            { title: 'ended', unit: 'dateTimeAsLocal', expr: `1000 * sum by (${one}) (${end})` },
          ],
          [toUser(), toWorkflow()],
        ),
      ],
    },
  ],
}
