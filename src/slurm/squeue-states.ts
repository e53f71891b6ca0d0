import { isOver, isWaiting, type SlurmJobState } from './job-state.ts'
import { jobsIn, numberIn, stateIn } from './json-values.ts'
import { taskNumbers } from './task-numbers.ts'

const columns = [
  { field: 'JobID', width: 24 },
  { field: 'ArrayJobID', width: 24 },
  { field: 'ArrayTaskID', width: 24 },
  { field: 'State', width: 24 },
  { field: 'exit_code', width: 16 },
  { field: 'RestartCnt', width: 12 },
  { field: 'NodeList', width: 120 },
  { field: 'Reason', width: 48 },
] as const

/**
 * Asks the controller about all jobs of a user, those that ended a few minutes ago included. By user, for which it answers
 * those alone: of several numbers, `squeue` has it send the whole queue. In JSON, 22.05 prints the whole queue in any case.
 */
export const squeueStates = (
  of: { readonly user: string } | { readonly job: string },
  form: 'json' | 'text',
): readonly string[] => [
  'squeue',
  '--states=all',
  'user' in of ? `--user=${of.user}` : `--jobs=${of.job}`,
  ...(form === 'json'
    ? ['--json']
    : [
        '--noheader',
        '--array',
        `--Format=${columns.map(({ field, width }) => `${field}:${width}`).join(',')}`,
      ]),
]

export function parseSqueueStates(text: string): SlurmJobState[] {
  return text.split('\n').flatMap((line) => {
    let at = 0
    const cells = columns.map(({ width }) => line.slice(at, (at += width)).trim())
    const [id = '', array = '', task = '', state = '', code = '', restarts = ''] = cells
    const [nodes = '', reason] = cells.slice(6)
    if (!/^\d+$/.test(id) || !/^[A-Z_]+$/.test(state)) return []
    return [
      {
        id,
        name: /^\d+$/.test(task) ? `${array}_${task}` : id,
        state,
        cancelledBy: null,
        ...endBy(state, Number(code)),
        restarts: /^\d+$/.test(restarts) ? Number(restarts) : null,
        nodes,
        ...whyWaiting(state, reason),
      },
    ]
  })
}

const whyWaiting = (state: string, reason: unknown): Pick<SlurmJobState, 'reason'> =>
  isWaiting({ state }) && typeof reason === 'string' && reason !== '' ? { reason } : {}

/** `status` is as `wait` answers it. */
function endBy(state: string, status: number): Pick<SlurmJobState, 'exitCode' | 'signal'> {
  const isEnded = isOver({ state }) && Number.isInteger(status)
  const signal = status & 0x7f
  return {
    exitCode: isEnded && signal === 0 ? status >> 8 : null,
    signal: isEnded && signal !== 0 ? signal : null,
  }
}

/** The same from `squeue --json`, as far as jobs are this user's; undefined where its shape is none that is known here. */
export const parseSqueueJson = (text: string, user: string): SlurmJobState[] | undefined =>
  jobsIn(text, (told) => {
    const job = told as JsonJob
    return job.user_name === user ? statesInJson(job) : []
  })

interface JsonJob {
  readonly user_name?: unknown
  readonly job_id?: unknown
  readonly array_job_id?: unknown
  readonly array_task_id?: unknown
  /** Which elements of an array have not started: `1-3,7,10-20:2%5`. */
  readonly array_task_string?: unknown
  readonly job_state?: unknown
  /** As `wait` answers it; since 23.02 in parts. */
  readonly exit_code?:
    | number
    | {
        readonly return_code?: unknown
        readonly signal?: { readonly signal_id?: unknown; readonly id?: unknown }
      }
  readonly restart_cnt?: unknown
  readonly nodes?: unknown
  readonly state_reason?: unknown
}

function statesInJson(job: JsonJob): readonly SlurmJobState[] | undefined {
  const id = numberIn(job.job_id)
  const state = stateIn(job.job_state)
  if (id === null || state === undefined) return undefined
  const common = {
    id: String(id),
    state,
    cancelledBy: null,
    ...endInJson(state, job.exit_code),
    restarts: numberIn(job.restart_cnt),
    nodes: typeof job.nodes === 'string' ? job.nodes : '',
    ...whyWaiting(state, job.state_reason),
  }
  const array = numberIn(job.array_job_id) ?? 0
  const task = numberIn(job.array_task_id)
  if (array > 0 && task !== null) return [{ ...common, name: `${array}_${task}` }]
  const unstarted = taskNumbers(job.array_task_string ?? '')
  if (unstarted === undefined) return undefined
  return unstarted.length === 0
    ? [{ ...common, name: common.id }]
    : unstarted.map((number) => ({ ...common, name: `${array}_${number}` }))
}

function endInJson(
  state: string,
  told: JsonJob['exit_code'],
): Pick<SlurmJobState, 'exitCode' | 'signal'> {
  if (typeof told === 'number') return endBy(state, told)
  const signal = numberIn(told?.signal?.id ?? told?.signal?.signal_id)
  const code = numberIn(told?.return_code)
  const isSignalled = signal !== null && signal !== 0
  if (!isOver({ state })) return { exitCode: null, signal: null }
  return { exitCode: isSignalled ? null : code, signal: isSignalled ? signal : null }
}
