import type { LeftJob } from '../../launch/container/left-containers.ts'
import { killLeftovers, parseTrace } from '../../launch/leftovers.ts'
import { readStat, isZombie } from '../../sensors/procfs/stat.ts'
import { notesOf, removeSign } from '../../store/spool/life-sign.ts'
import type { System } from '../../system/system.ts'
import { bootSeconds } from '../../system/boot-clock.ts'
import { leftIn, logDirectoryFor } from './worker-logs.ts'

const lookSeconds = 0.1
/** A worker that has no lease written down by then has none. */
const firstLookSeconds = 1
/** A job that was about to start when its worker was killed shows its mark a moment later. */
const roundsAfterDeath = 10

/** So long a daemon of containers that does not answer is asked again, after the death of the worker. */
const daemonPatienceSeconds = 600

/** What the worker could not tell is tried to be told so often. */
const mostTries = 20
const tryAgainSeconds = 1

/** A worker by what tells it from every other process of the machine. */
export interface GuardedWorker {
  readonly pid: number
  readonly startTicks: number
  /** The name of its sign of life, in which it notes its lease and its jobs. */
  readonly sign: string
  readonly ledger: string
  /** The address of the queue. */
  readonly team: string
}

/**
 * Ends the jobs of a worker that is dead, or whose lease is over: another worker may begin them then. Resolves when the
 * worker is gone, and what it had to tell was told, where that can be. While the lease is over it goes on looking: a worker that was stopped in the middle of a start goes on with it.
 */
export async function guardWorker(system: System, worker: GuardedWorker): Promise<void> {
  let rounds = 0
  let deadSince = Infinity
  let leaseEndsAt = bootSeconds() + firstLookSeconds
  while (rounds < roundsAfterDeath) {
    const isDead = !isAlive(system, worker)
    // The clock before the notes: a worker that renews its lease in between looks at the clock after it has written that down.
    const now = bootSeconds()
    const notes = notesOf(worker.ledger, worker.sign)
    leaseEndsAt = leaseEndIn(notes) ?? leaseEndsAt
    const isOver = isDead || leaseEndsAt < now
    if (isDead) deadSince = Math.min(deadSince, now)
    const isPatient = now - deadSince < daemonPatienceSeconds
    const isClean = isOver ? await endJobs(system, notes, isPatient) : true
    if (isDead && isClean) rounds += 1
    await new Promise<void>((resolve) => system.clock.after(lookSeconds, resolve))
  }
  await tellWhatItCouldNot(system, worker)
  removeSign(worker.ledger, worker.sign)
}

/** The next worker on this ledger does so as well, if the database cannot be reached now. */
async function tellWhatItCouldNot(
  system: System,
  { ledger, sign, team }: GuardedWorker,
): Promise<void> {
  const logDirectory = logDirectoryFor(ledger)
  const hasLeft = (): boolean =>
    leftIn(system.files, logDirectory).some((left) => left.sign === sign)
  for (let tries = 0; hasLeft() && tries < mostTries; tries++)
    try {
      const { withQueue } = await import('./open-queue.ts')
      const { tellLeftWork } = await import('./left-work.ts')
      await withQueue(team, (queue) => tellLeftWork({ system, ledger, logDirectory }, queue))
      return
    } catch {
      await new Promise<void>((resolve) => system.clock.after(tryAgainSeconds, resolve))
    }
}

function isAlive({ files }: System, { pid, startTicks }: GuardedWorker): boolean {
  const stat = readStat(files, pid)
  return stat?.startTicks === startTicks && !isZombie(stat)
}

interface Note {
  readonly container?: unknown
  readonly taskId?: unknown
  readonly leaseEndsAt?: unknown
}

/** Undefined where it is being written just now. */
function leaseEndIn(notes: readonly string[]): number | undefined {
  for (const text of notes) {
    const { leaseEndsAt } = parsed(text)
    if (typeof leaseEndsAt === 'number') return leaseEndsAt
  }
  return undefined
}

/**
 * False where a container goes on that was to end, or may do so: its job must not be left alone. `isPatient`: a daemon that does not
 * answer is to be asked again.
 */
async function endJobs(
  system: System,
  notes: readonly string[],
  isPatient: boolean,
): Promise<boolean> {
  const taskIds = notes.flatMap((text) => {
    const { taskId } = parsed(text)
    return typeof taskId === 'string' ? [taskId] : []
  })
  const traces = notes.flatMap((text) => parseTrace(text) ?? [])
  killLeftovers(system, new Set(taskIds), traces)
  // After the clients, which could start them. They are written by ourselves, in a folder of our own.
  const containers = notes.flatMap((text) => (parsed(text).container as LeftJob | undefined) ?? [])
  if (containers.length === 0) return true
  const { endLeftContainers } = await import('../../launch/container/left-containers.ts')
  const { running, unasked } = await endLeftContainers(system, containers)
  return running.length === 0 && (unasked.length === 0 || !isPatient)
}

function parsed(text: string): Note {
  try {
    return (JSON.parse(text) as Note | null) ?? {}
  } catch {
    // It is being written.
    return {}
  }
}
