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
  /** Called by jobmeter itself, not by people: the help leaves it out. */
  readonly isHidden?: true
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
    name: 'attempt',
    aliases: [],
    summary: 'run an attempt that was ordered from another machine',
    isHidden: true,
    load: () => import('./run/attempt.ts'),
  },
  {
    name: 'watch',
    aliases: [],
    summary: 'measure a process that is already running',
    load: () => import('./run/watch.ts'),
  },
  {
    name: 'mark',
    aliases: [],
    summary: 'mark a moment in the job that this is called from',
    load: () => import('./run/mark.ts'),
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
    name: 'benchmark',
    aliases: [],
    summary: 'run a command several times: run, list, compare, report',
    load: () => import('./benchmark/benchmark.ts'),
  },
  {
    name: 'plot-resources',
    aliases: [],
    summary: 'interactive plots of the samples in a series file',
    load: () => import('./reports/plot-resources.ts'),
  },
  {
    name: 'plot-epochs',
    aliases: [],
    summary: 'an interactive plot of a training over its steps',
    load: () => import('./training/plot-epochs.ts'),
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
    name: 'submit',
    aliases: [],
    summary: 'put a job into the queue of the team',
    load: async (argv) => (await import('./queue/which-submit.ts')).loadSubmit(argv),
  },
  {
    name: 'worker',
    aliases: [],
    summary: 'take jobs from the queue of the team and run them here',
    load: () => import('./queue/worker.ts'),
  },
  {
    name: 'worker-guard',
    aliases: [],
    summary: 'end the jobs of a worker that is dead, or has lost its lease',
    isHidden: true,
    load: () => import('./queue/worker-guard.ts'),
  },
  {
    name: 'queue',
    aliases: [],
    summary: 'the queue of the team: status, list, why, pause, resume, drain',
    load: () => import('./queue/queue.ts'),
  },
  {
    name: 'cancel',
    aliases: [],
    summary: 'end jobs of the queue',
    load: () => import('./queue/cancel.ts'),
  },
  {
    name: 'wait',
    aliases: [],
    summary: 'wait until jobs of the queue are over',
    load: () => import('./queue/wait.ts'),
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
    name: 'agent',
    aliases: [],
    summary: 'sample the whole node: every process of every user',
    load: () => import('./node/agent.ts'),
  },
  {
    name: 'ps',
    aliases: [],
    summary: 'the jobs that the agent saw, running or over',
    load: () => import('./node/ps.ts'),
  },
  {
    name: 'usage',
    aliases: [],
    summary: 'how full the nodes were, by user, hour, weekday and more',
    load: () => import('./node/usage.ts'),
  },
  {
    name: 'nodes',
    aliases: [],
    summary: 'how each node is: cores, memory, disks, network, GPUs, and their peaks',
    load: () => import('./node/nodes.ts'),
  },
  {
    name: 'uptime',
    aliases: [],
    summary: 'when the agent looked at each host, and the gaps',
    load: () => import('./node/uptime.ts'),
  },
  {
    name: 'hogs',
    aliases: [],
    summary: 'who was not fair to others on a node, by policies',
    load: () => import('./node/hogs.ts'),
  },
  {
    name: 'policies',
    aliases: [],
    summary: 'what is fair on a node: list, explain, test',
    load: () => import('./node/policies.ts'),
  },
  {
    name: 'import',
    aliases: [],
    summary: 'take over the history that Sonar or Slurm has of nodes',
    load: () => import('./node/import.ts'),
  },
  {
    name: 'slurm',
    aliases: [],
    summary: 'jobs of Slurm: attach, compare, prolog and epilog',
    load: () => import('./slurm/slurm.ts'),
  },
  {
    name: 'serve',
    aliases: [],
    summary: 'the dashboard and the API, in a browser',
    load: () => import('./server/serve.ts'),
  },
  {
    name: 'team',
    aliases: [],
    summary: 'a ledger shared in PostgreSQL: init, join, leave, status, retention',
    load: () => import('./team/team.ts'),
  },
  {
    name: 'sync',
    aliases: [],
    summary: 'send what the ledger holds to its team',
    load: () => import('./team/sync.ts'),
  },
  {
    name: 'schema',
    aliases: [],
    summary: 'the JSON Schema of workflow files',
    load: () => import('./schema.ts'),
  },
  {
    name: 'alerts',
    aliases: [],
    summary: 'what fires, the rules and the channels of alerts',
    load: () => import('./alerts/alerts.ts'),
  },
  {
    name: 'tokens',
    aliases: [],
    summary: 'tokens with which programs use the server: create, list, revoke',
    load: () => import('./server/tokens.ts'),
  },
  {
    name: 'sidecar',
    aliases: [],
    summary: 'measure a process for a program in another language',
    load: () => import('./training/sidecar.ts'),
  },
  {
    name: 'doctor',
    aliases: [],
    summary: 'what can be measured on this machine, and how to enable the rest',
    load: () => import('./doctor/doctor.ts'),
  },
]

/** Commands of groups that people look for without the group. */
export const nestedCommands: Readonly<Record<string, string>> = {
  plan: 'workflows plan',
  'create-from-spec': 'workflows create-from-spec',
  list: 'workflows list',
  recommend: 'reports recommend',
  scaling: 'reports scaling',
  compare: 'reports compare',
  cost: 'reports cost',
}
