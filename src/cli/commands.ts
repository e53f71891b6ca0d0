import { warmUpCgroups } from '../launch/cgroup-warm-up.ts'
import { realFiles } from '../system/real-files.ts'
import type { Console } from './console.ts'

export interface Command {
  execute(argv: readonly string[], console: Console): Promise<number>
}

interface CommandEntry {
  readonly name: string
  readonly aliases: readonly string[]
  readonly summary: string
  load(): Promise<Command>
}

/** Every command. Each one is loaded only when it is asked for: starting must stay near bare Node. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'run',
    aliases: [],
    summary: 'run a command, measure it and record it',
    load() {
      warmUpCgroups(realFiles, process.pid)
      return import('./run.ts')
    },
  },
  {
    name: 'watch',
    aliases: [],
    summary: 'measure a process that is already running',
    load: () => import('./watch.ts'),
  },
  {
    name: 'job-history',
    aliases: ['history'],
    summary: 'the latest jobs',
    load: () => import('./job-history.ts'),
  },
  {
    name: 'job-stats',
    aliases: ['stats'],
    summary: 'totals over all jobs, and by tool',
    load: () => import('./job-stats.ts'),
  },
  {
    name: 'job-details',
    aliases: ['show'],
    summary: 'all that is known of one job',
    load: () => import('./job-details.ts'),
  },
  {
    name: 'series',
    aliases: [],
    summary: "a job's samples over time, as CSV or JSON",
    load: () => import('./series.ts'),
  },
  {
    name: 'export',
    aliases: [],
    summary: 'all records, one JSON object a line',
    load: () => import('./export.ts'),
  },
  {
    name: 'prune',
    aliases: [],
    summary: 'delete old records',
    load: () => import('./prune.ts'),
  },
  {
    name: 'doctor',
    aliases: [],
    summary: 'what can be measured on this machine, and how to get the rest',
    load: () => import('./doctor.ts'),
  },
]
