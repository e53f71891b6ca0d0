import { SlurmTable } from './table.ts'

/** How a job stands, as Slurm says. */
export interface SlurmJobState {
  /** The number of the job; that of an element of an array that has not started is the array's. */
  readonly id: string
  /** `12`, or of an element of an array `12_3`. */
  readonly name: string
  /** One word: `RUNNING`, `OUT_OF_MEMORY`. */
  readonly state: string
  /** Who cancelled it, by user id, where that is told. */
  readonly cancelledBy: string | null
  /** Of the batch script, where it has ended by itself. */
  readonly exitCode: number | null
  /** By which the batch script was ended, where it was. */
  readonly signal: number | null
  /** How often it was put back into the queue, where that is told. */
  readonly restarts: number | null
  /** Where it runs or ran. */
  readonly nodes: string
}

/** States after which nothing of a job runs any more. */
const over = new Set([
  'BOOT_FAIL',
  'CANCELLED',
  'COMPLETED',
  'DEADLINE',
  'FAILED',
  'LAUNCH_FAILED',
  'NODE_FAIL',
  'OUT_OF_MEMORY',
  'PREEMPTED',
  'RECONFIG_FAIL',
  'REVOKED',
  'TIMEOUT',
])

export const isOver = ({ state }: SlurmJobState): boolean => over.has(state)

/** States in which a job waits for its turn. One that has run and is in one of them was put back. */
const waiting = new Set([
  'CONFIGURING',
  'PENDING',
  'REQUEUED',
  'REQUEUE_FED',
  'REQUEUE_HOLD',
  'SPECIAL_EXIT',
])

export const isWaiting = ({ state }: SlurmJobState): boolean => waiting.has(state)

const columns = [
  { field: 'JobID', width: 24 },
  { field: 'ArrayJobID', width: 24 },
  { field: 'ArrayTaskID', width: 24 },
  { field: 'State', width: 24 },
  { field: 'exit_code', width: 16 },
  { field: 'RestartCnt', width: 12 },
  { field: 'NodeList', width: 120 },
] as const

/**
 * Asks the controller about all jobs of a user, those that ended a few minutes ago included. By user, for which it answers
 * those alone: of several numbers, `squeue` has it send the whole queue. As text, because `squeue --json` prints the
 * whole queue in 22.05, whatever it was asked.
 */
export const squeueStates = (
  of: { readonly user: string } | { readonly job: string },
): readonly string[] => [
  'squeue',
  '--noheader',
  '--states=all',
  '--array',
  'user' in of ? `--user=${of.user}` : `--jobs=${of.job}`,
  `--Format=${columns.map(({ field, width }) => `${field}:${width}`).join(',')}`,
]

export function parseSqueueStates(text: string): SlurmJobState[] {
  return text.split('\n').flatMap((line) => {
    let at = 0
    const [id = '', array = '', task = '', state = '', code = '', restarts = '', nodes = ''] =
      columns.map(({ width }) => line.slice(at, (at += width)).trim())
    if (!/^\d+$/.test(id) || !/^[A-Z_]+$/.test(state)) return []
    // As `wait` answers it.
    const status = Number(code)
    const isEnded = over.has(state) && Number.isInteger(status)
    const signal = status & 0x7f
    return [
      {
        id,
        name: /^\d+$/.test(task) ? `${array}_${task}` : id,
        state,
        cancelledBy: null,
        exitCode: isEnded && signal === 0 ? status >> 8 : null,
        signal: isEnded && signal !== 0 ? signal : null,
        restarts: /^\d+$/.test(restarts) ? Number(restarts) : null,
        nodes,
      },
    ]
  })
}

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
export function parseSacctJson(text: string): SlurmJobState[] | undefined {
  try {
    const { jobs } = JSON.parse(text) as { jobs?: unknown }
    if (!Array.isArray(jobs)) return undefined
    const states = jobs.map((job) => stateInJson(job as JsonJob))
    return states.every((state) => state !== undefined) ? states : undefined
  } catch {
    return undefined
  }
}

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

function stateInJson(job: JsonJob): SlurmJobState | undefined {
  const current: unknown = job.state?.current
  const state: unknown = Array.isArray(current) ? current[0] : current
  const id = numberIn(job.job_id)
  if (id === null || typeof state !== 'string') return undefined
  const array = numberIn(job.array?.job_id) ?? 0
  const task = numberIn(job.array?.task_id)
  return {
    id: String(id),
    name: array > 0 && task !== null ? `${array}_${task}` : String(id),
    state,
    cancelledBy: null,
    exitCode: numberIn(job.exit_code?.return_code),
    signal: numberIn(job.exit_code?.signal?.signal_id ?? job.exit_code?.signal?.id),
    restarts: null,
    nodes: typeof job.nodes === 'string' ? job.nodes : '',
  }
}

/** Since 23.02 numbers that may be missing are `{set, infinite, number}`. */
function numberIn(told: unknown): number | null {
  if (typeof told === 'number') return told
  const { set, number } = (told ?? {}) as { readonly set?: unknown; readonly number?: unknown }
  return set === true && typeof number === 'number' ? number : null
}
