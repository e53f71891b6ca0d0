import { formatBytes } from '../../model/bytes.ts'
import { count } from '../../model/count.ts'
import type { QueueWorkerSeen, StuckJobs, WaitingKind } from '../../model/queue.ts'
import { queueState, workersSeen } from '../../store/postgres/queue/status.ts'
import { waitingKinds } from '../../store/postgres/queue/waiting.ts'
import type { TeamQueue } from '../../store/postgres/queue/team-queue.ts'
import type { Clock } from '../../system/system.ts'

/** Of so many workers it is said why they do not take a job. */
const mostNamed = 3
const lookSeconds = 10

/** Jobs that wait and that no worker will take as things stand: of these, or of all. */
export async function stuckJobs(
  { database }: TeamQueue,
  ids: readonly string[] | 'all',
): Promise<readonly StuckJobs[]> {
  const kinds = await waitingKinds(database, ids)
  if (kinds.length === 0) return []
  if ((await queueState(database)) === 'paused') {
    const why = 'the queue is paused, and workers take nothing until jobmeter queue resume'
    return kinds.map((kind) => ({ kind, why }))
  }
  const alive = (await workersSeen(database)).filter(
    ({ state, leaseSecondsLeft }) => state === 'alive' && leaseSecondsLeft > 0,
  )
  const stuck: StuckJobs[] = []
  for (const kind of kinds) {
    const why = await whyNobody(kind, alive)
    if (why !== undefined) stuck.push({ kind, why })
  }
  return stuck
}

/** Says, now and whenever it changes, that nobody will take some of these jobs. The answer stops that. */
export function tellWhatIsStuck(
  queue: TeamQueue,
  clock: Clock,
  ids: readonly string[],
  tell: (warning: string) => void,
): () => void {
  let told = ''
  let stop = (): void => {}
  const look = async (): Promise<void> => {
    const warnings = stuckWarnings(await stuckJobs(queue, ids), ids.length)
    if (warnings.join('\n') !== told) for (const warning of warnings) tell(warning)
    told = warnings.join('\n')
  }
  const again = (): void => {
    // Who waits for the jobs themselves tells what is wrong with the server.
    look().catch(() => {})
    stop = clock.after(lookSeconds, again)
  }
  again()
  return () => stop()
}

/** The same in one line for each kind of job, to whoever has `asked` for so many. */
export const stuckWarnings = (stuck: readonly StuckJobs[], asked: number): readonly string[] =>
  stuck.map(({ kind, why }) => `${asked === 1 ? 'the job' : jobsText(kind)} waits: ${why}`)

const jobsText = ({ jobs, program, user }: WaitingKind): string =>
  `${count(jobs, 'job')} of ${user} (${program})`

/** Undefined where some worker would take it, when it has room. */
async function whyNobody(
  kind: WaitingKind,
  alive: readonly QueueWorkerSeen[],
): Promise<string | undefined> {
  if (alive.length === 0) return 'no worker is alive; jobmeter worker starts one'
  const refusals: string[] = []
  for (const worker of alive) {
    const why = worker.trouble ?? tooSmall(kind, worker) ?? (await notAccepted(kind, worker))
    if (why === undefined) return undefined
    refusals.push(`${worker.host} (${worker.id.slice(0, 8)}): ${why}`)
  }
  const others = refusals.length - mostNamed
  const more = others > 0 ? [`${others} more`] : []
  return `no worker that is alive accepts this: ${[...refusals.slice(0, mostNamed), ...more].join('; ')}`
}

function tooSmall(kind: WaitingKind, worker: QueueWorkerSeen): string | undefined {
  const lacking = kind.labels.filter((label) => !worker.labels.includes(label))
  if (kind.cpus > worker.cpus) return `it asks for ${kind.cpus} CPUs of ${worker.cpus}`
  if (kind.memoryBytes > worker.memoryBytes)
    return `it asks for ${formatBytes(kind.memoryBytes)} of memory, of ${formatBytes(worker.memoryBytes)}`
  if (kind.gpus > worker.gpus) return `it asks for ${count(kind.gpus, 'GPU')} of ${worker.gpus}`
  return lacking.length === 0 ? undefined : `it has no label ${lacking.join(', ')}`
}

/** By what the worker told of its rules; what cannot be read says nothing. */
async function notAccepted(
  kind: WaitingKind,
  worker: QueueWorkerSeen,
): Promise<string | undefined> {
  const { readWorkerRules } = await import('../../workflow/worker-rules/read-worker-rules.ts')
  const rules = readWorkerRules(worker.rules, 'rules', worker.user)
  return rules.kind === 'ok' ? rules.value(kind) : undefined
}
