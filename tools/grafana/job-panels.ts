import { lines, stat, type Column, type Panel } from './panel.ts'

/** The panels that a page about users and one about jobs share, for these labels. */
export function jobPanels(of: string, by: string): { now: Panel[]; overTime: Panel[] } {
  const sum = (metric: string): string => `sum(${metric}{${of}})`
  const each = (metric: string): string => `sum by (${by}) (${metric}{${of}})`
  const grown = (metric: string, more = ''): string =>
    `sum(increase(${metric}{${of}${more}}[$__range]))`
  const legend = `{{${by}}}`
  return {
    now: [
      stat(
        { title: 'Running', says: 'Jobs that run now.', unit: 'none', width: 3 },
        { expr: `${sum('jobmeter_running_jobs')} or vector(0)` },
      ),
      stat(
        {
          title: 'CPUs in use',
          says: 'By the last samples of those that run.',
          unit: 'none',
          width: 3,
        },
        { expr: `${sum('jobmeter_running_cpu_cores')} or vector(0)` },
      ),
      stat(
        {
          title: 'Memory in use',
          says: 'By the last samples of those that run.',
          unit: 'bytes',
          width: 3,
        },
        { expr: `${sum('jobmeter_running_memory_bytes')} or vector(0)` },
      ),
      stat(
        { title: 'Finished', says: 'In the time that is shown.', unit: 'none', width: 3 },
        { expr: grown('jobmeter_jobs_finished_total') },
      ),
      stat(
        { title: 'Did not succeed', says: 'In the time that is shown.', unit: 'none', width: 3 },
        { expr: `${grown('jobmeter_jobs_finished_total', ',status!="success"')} or vector(0)` },
        { warn: 1, act: 10 },
      ),
      stat(
        {
          title: 'CPU time',
          says: 'Of jobs that ended in the time that is shown.',
          unit: 's',
          width: 3,
        },
        { expr: grown('jobmeter_jobs_cpu_seconds_total') },
      ),
      stat(
        {
          title: 'CPUs per job',
          says: 'CPU time by duration, of all jobs in the ledger.',
          unit: 'none',
          width: 3,
        },
        {
          expr: `${sum('jobmeter_jobs_cpu_seconds_total')} / ${sum('jobmeter_jobs_wall_seconds_total')}`,
        },
      ),
      stat(
        {
          title: 'Memory peak',
          says: 'The most that any job in the ledger had.',
          unit: 'bytes',
          width: 3,
        },
        { expr: `max(jobmeter_jobs_memory_peak_bytes{${of}})` },
      ),
    ],
    overTime: [
      lines(
        { title: 'Running jobs', says: 'How many run at once.', unit: 'none' },
        [{ expr: each('jobmeter_running_jobs'), legend }],
        { stack: true },
      ),
      lines(
        { title: 'Ended per hour', says: 'By how they ended.', unit: 'none' },
        [
          {
            expr: `3600 * sum by (status) (rate(jobmeter_jobs_finished_total{${of}}[$__rate_interval]))`,
            legend: '{{status}}',
          },
        ],
        { stack: true },
      ),
      lines(
        { title: 'CPUs in use', says: 'The dashed line is what the jobs asked for.', unit: 'none' },
        [
          { expr: each('jobmeter_running_cpu_cores'), legend },
          { expr: sum('jobmeter_running_requested_cpus'), legend: 'asked for' },
        ],
        { stack: true, dashed: '/^asked for$/' },
      ),
      lines(
        {
          title: 'Memory in use',
          says: 'The dashed line is what the jobs asked for.',
          unit: 'bytes',
        },
        [
          { expr: each('jobmeter_running_memory_bytes'), legend },
          { expr: sum('jobmeter_running_requested_memory_bytes'), legend: 'asked for' },
        ],
        { stack: true, dashed: '/^asked for$/' },
      ),
    ],
  }
}

/** Users and names, whether or not any of their jobs has ended yet. */
export const known = (more = ''): string =>
  `{__name__=~"jobmeter_jobs_finished_total|jobmeter_running_jobs"${more}}`

/** What tables of users and of jobs tell of each. */
export function sumColumns(of: string, by: string): Column[] {
  const sum = (metric: string, more = ''): string => `sum by (${by}) (${metric}{${of}${more}})`
  const finished = 'jobmeter_jobs_finished_total'
  return [
    { title: 'finished', unit: 'none', expr: sum(finished) },
    { title: 'not successful', unit: 'none', expr: sum(finished, ',status!="success"') },
    { title: 'CPU time', unit: 's', expr: sum('jobmeter_jobs_cpu_seconds_total') },
    { title: 'duration', unit: 's', expr: sum('jobmeter_jobs_wall_seconds_total') },
    { title: 'running', unit: 'none', expr: sum('jobmeter_running_jobs') },
  ]
}
