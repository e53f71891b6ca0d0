import type { SlurmJobState } from './job-state.ts'
import { jobsIn, numberIn, stateIn } from './json-values.ts'
import { SlurmTable } from './table.ts'

const fields = ['JobIDRaw', 'JobID', 'State', 'ExitCode', 'NodeList'] as const

/** Asks the accounting about jobs that the controller has forgotten. */
export const sacctStates = (names: readonly string[], form: 'json' | 'text'): readonly string[] => [
  'sacct',
  '--allocations',
  `--jobs=${names.join(',')}`,
  ...(form === 'json' ? ['--json'] : ['--parsable2', `--format=${fields.join(',')}`]),
]

export function parseSacctStates(text: string): SlurmJobState[] {
  const [heading = '', ...lines] = text.split('\n')
  const table = new SlurmTable(heading)
  return lines.flatMap((line) => {
    const row = table.row(line)
    if (typeof row === 'number') return []
    const cell = (name: (typeof fields)[number]): string => row.get(name.toLowerCase()) ?? ''
    const [state = '', , by] = cell('State').split(' ')
    const [code = '', signal = ''] = cell('ExitCode').split(':')
    if (!/^\d+$/.test(cell('JobIDRaw')) || !/^[A-Z_]+$/.test(state)) return []
    return [
      {
        id: cell('JobIDRaw'),
        name: cell('JobID'),
        state,
        cancelledBy: by ?? null,
        exitCode: signal === '0' && /^\d+$/.test(code) ? Number(code) : null,
        signal: /^[1-9]\d*$/.test(signal) ? Number(signal) : null,
        restarts: null,
        nodes: cell('NodeList'),
      },
    ]
  })
}

/** The same from `sacct --json`, whose shape differs between versions; undefined where it is none that is known here. */
export const parseSacctJson = (text: string): SlurmJobState[] | undefined =>
  jobsIn(text, (job) => stateInJson(job as JsonJob))

interface JsonJob {
  readonly job_id?: unknown
  readonly array?: { readonly job_id?: unknown; readonly task_id?: unknown }
  readonly state?: { readonly current?: unknown }
  readonly exit_code?: {
    readonly return_code?: unknown
    readonly signal?: { readonly signal_id?: unknown; readonly id?: unknown }
  }
  readonly nodes?: unknown
}

function stateInJson(job: JsonJob): readonly SlurmJobState[] | undefined {
  const state = stateIn(job.state?.current)
  const id = numberIn(job.job_id)
  if (id === null || state === undefined) return undefined
  const array = numberIn(job.array?.job_id) ?? 0
  const task = numberIn(job.array?.task_id)
  const told = numberIn(job.exit_code?.signal?.signal_id ?? job.exit_code?.signal?.id)
  const signal = told === 0 ? null : told
  return [
    {
      id: String(id),
      name: array > 0 && task !== null ? `${array}_${task}` : String(id),
      state,
      cancelledBy: null,
      exitCode: signal === null ? numberIn(job.exit_code?.return_code) : null,
      signal,
      restarts: null,
      nodes: typeof job.nodes === 'string' ? job.nodes : '',
    },
  ]
}
