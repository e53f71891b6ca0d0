import type { Console } from './terminal/console.ts'
import type { WarmUp } from './run/warm-up.ts'
import { namesWorkflow } from './run/which-run.ts'

export interface Command {
  /** `typedAs` is how the command was called: by its name or an alias of it. */
  execute(
    argv: readonly string[],
    console: Console,
    warmUp?: WarmUp,
    typedAs?: string,
  ): Promise<number>
}

interface CommandEntry {
  readonly name: string
  readonly aliases: readonly string[]
  readonly summary: string
  load(argv: readonly string[]): Promise<Command>
}

/** Every command. Each one is loaded only when it is asked for: starting must stay near bare Node. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'run',
    aliases: [],
    summary: 'run a command or a workflow file, measure it and record it',
    load: (argv) => (namesWorkflow(argv) ? import('./run/run-spec.ts') : import('./run/run.ts')),
  },
  {
    name: 'run-jobs',
    aliases: [],
    summary: 'run the jobs of a workflow in the ledger',
    load: () => import('./run/run-jobs.ts'),
  },
  {
    name: 'watch',
    aliases: [],
    summary: 'measure a process that is already running',
    load: () => import('./run/watch.ts'),
  },
  {
    name: 'job-history',
    aliases: ['history'],
    summary: 'the latest jobs',
    load: () => import('./ledger/job-history.ts'),
  },
  {
    name: 'job-stats',
    aliases: ['stats'],
    summary: 'totals over all jobs, and by tool',
    load: () => import('./ledger/job-stats.ts'),
  },
  {
    name: 'job-details',
    aliases: ['show'],
    summary: 'everything known about one job',
    load: () => import('./ledger/job-details.ts'),
  },
  {
    name: 'workflows',
    aliases: [],
    summary: 'workflows: list, show, status, cancel, reset, delete',
    load: () => import('./workflows/workflows.ts'),
  },
  {
    name: 'jobs',
    aliases: [],
    summary: 'the jobs of a workflow',
    load: () => import('./workflows/jobs.ts'),
  },
  {
    name: 'results',
    aliases: [],
    summary: "what a workflow's jobs used, and how they ended",
    load: () => import('./workflows/results.ts'),
  },
  {
    name: 'reports',
    aliases: [],
    summary: 'was the request right, what happened, will it scale, what changed',
    load: () => import('./reports/reports.ts'),
  },
  {
    name: 'plot-resources',
    aliases: [],
    summary: 'interactive plots of the samples in a series file',
    load: () => import('./reports/plot-resources.ts'),
  },
  {
    name: 'report',
    aliases: [],
    summary: 'one page about a workflow or a job',
    load: () => import('./reports/report.ts'),
  },
  {
    name: 'logs',
    aliases: [],
    summary: 'what a job of a workflow printed',
    load: () => import('./workflows/logs.ts'),
  },
  {
    name: 'series',
    aliases: [],
    summary: "a job's samples over time, as CSV or JSON",
    load: () => import('./reports/series.ts'),
  },
  {
    name: 'export',
    aliases: [],
    summary: 'all records, one JSON object per line',
    load: () => import('./ledger/export.ts'),
  },
  {
    name: 'prune',
    aliases: [],
    summary: 'delete old records',
    load: () => import('./ledger/prune.ts'),
  },
  {
    name: 'schema',
    aliases: [],
    summary: 'the JSON Schema of workflow files',
    load: () => import('./schema.ts'),
  },
  {
    name: 'doctor',
    aliases: [],
    summary: 'what can be measured on this machine, and how to enable the rest',
    load: () => import('./doctor/doctor.ts'),
  },
]
