import type { Owner } from '../../model/machine.ts'
import { Owners } from '../../record/owners.ts'
import { keptBytes, type LogPaths } from '../../store/postgres/queue/logs.ts'
import type { TeamQueue } from '../../store/postgres/queue/team-queue.ts'
import { lookAtSign, notesOf } from '../../store/spool/life-sign.ts'
import { untoldIn } from '../../store/untold/untold-results.ts'
import type { System } from '../../system/system.ts'
import { leftIn, WorkerLogs, type LeftFiles } from './worker-logs.ts'

interface LeftPlace {
  readonly system: System
  readonly ledger: string
  readonly logDirectory: string
}

/**
 * Tells the queue what workers on this ledger that were killed had to tell, and what their jobs printed, and lets go of their
 * files. A result counts if nobody else has the job by then. What this queue does not know is left where it is.
 */
export async function tellLeftWork(place: LeftPlace, queue: TeamQueue): Promise<void> {
  for (const left of leftIn(place.system.files, place.logDirectory))
    if (isDead(place, left.sign)) await tellLeftBy(place, queue, left)
}

async function tellLeftBy(
  { system, logDirectory }: LeftPlace,
  queue: TeamQueue,
  left: LeftFiles,
): Promise<void> {
  const untold = untoldIn(left.results)
  const paths = new Map<string, LogPaths>(left.logs)
  for (const { end, logs } of untold) if (logs !== null) paths.set(end.taskId, logs)
  const taskIds = new Set([...paths.keys(), ...untold.map(({ end }) => end.taskId)])
  const known = await keptBytes(queue.database, [...taskIds])
  const logs = new WorkerLogs(system.files)
  for (const [taskId, path] of paths) {
    const kept = known.get(taskId)
    if (kept !== undefined) logs.follow(taskId, path, kept)
  }
  for (const pieces of logs.rest([...known.keys()])) await queue.keepLogs(pieces)
  const theirs = untold.filter(({ end }) => known.has(end.taskId))
  for (const [workerId, results] of Map.groupBy(theirs, (each) => each.workerId)) {
    const ends = results.map(({ end }) => end)
    // Somebody holds them up just now: another time, with all that is there.
    if (!(await queue.keepLate(workerId, ends))) return
  }
  for (const taskId of known.keys()) logs.forget(taskId, logDirectory)
  for (const [taskId, ours] of left.logs)
    // The long ones have another name by now, and these are empty.
    if (known.has(taskId)) for (const path of Object.values(ours)) system.files.removeFile(path)
  if (theirs.length === untold.length) system.files.removeFile(left.results)
}

/** A worker has its sign of life before it has anything else. */
function isDead({ system, ledger }: LeftPlace, name: string): boolean {
  const { files, clock } = system
  const sign = { name, isLocked: true }
  const now = clock.wallSeconds()
  if (lookAtSign(ledger, sign, files.tryLock, now).kind === 'none') return true
  const owner = ownerIn(notesOf(ledger, name)) ?? { ...nobody, sign }
  return new Owners(system, ledger).isDead(owner, now)
}

/** Of whom only the sign tells. */
const nobody = { host: '', bootId: '', pid: 0, startTicks: 0 }

function ownerIn(notes: readonly string[]): Owner | undefined {
  for (const text of notes)
    try {
      const { owner } = JSON.parse(text) as { readonly owner?: Owner }
      if (owner !== undefined) return owner
    } catch {
      // It was being written.
    }
  return undefined
}
