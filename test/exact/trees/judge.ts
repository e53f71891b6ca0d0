import type { HistoryRecord } from '../../program.ts'
import type { FamilyLog } from './log.ts'
import { truthOf } from './truth.ts'

/** What can be known of a job, by whoever measures it. */
export interface Sight {
  /** A cgroup that counts CPU: exact whatever the family does with its children. */
  readonly cpuCgroup: boolean
  /** A cgroup that keeps the peak of memory: no moment is too short. */
  readonly memoryCgroup: boolean
  /** Orphans come to us, and are reaped by us. */
  readonly adoptsOrphans: boolean
  /** Others' families run at the same time under the same jobmeter. */
  readonly neighbours: boolean
  /** It is not ours: the last moments of its processes go by unseen. */
  readonly follows: boolean
  readonly busy: boolean
  /** The longest that passed between two looks at it, by its own series; unless given, what a machine of our own allows. */
  readonly lookedWithinSeconds?: number
}

/** Per process, what no block of memory explains: stack, page tables, its part of the program. */
const processBytes = 0.4 * 2 ** 20
const familyBytes = 4 * 2 ** 20

/** Says what a record has wrong of a family; an empty list is what everyone hopes for. */
export function judge(record: HistoryRecord, log: FamilyLog, sight: Sight): string[] {
  return [
    ...judgeCpu(record, log, sight),
    ...judgeMemory(record, log, sight),
    ...judgeProcesses(record, log, sight),
  ]
}

function judgeCpu({ resource_usage, basis }: HistoryRecord, log: FamilyLog, sight: Sight) {
  const { cpuSeconds } = truthOf(log)
  const told = resource_usage.cpu_total_seconds
  const how = basis['cpu_total_seconds'] ?? ''
  if (told === null) return ['no CPU seconds were told']
  const tolerance = Math.max(0.02 * cpuSeconds, 0.03)
  const words = `CPU ${told.toFixed(3)} s told, ${cpuSeconds.toFixed(3)} s used (${how})`
  if (told > cpuSeconds + tolerance) return [words]
  if (told >= cpuSeconds - tolerance) return []
  // Nobody can know that children were let go by a process that came and went unseen.
  const unseen = log.ignoresChildren && log.ignorerSeconds < lookSeconds(sight)
  const isSaid = how.startsWith('at least') || unseen
  return isSaid && mayMissCpu(log, sight) ? [] : [words]
}

/** Only what the kernel tells nobody may be missing, and only if the record says that something may be. */
function mayMissCpu(log: FamilyLog, sight: Sight): boolean {
  if (sight.cpuCgroup) return false
  if (sight.follows || log.ignoresChildren) return true
  if (!sight.adoptsOrphans) return log.makesDaemons
  // One that lost its parent, came and went between two looks might be any neighbour's.
  return sight.neighbours && log.makesDaemons
}

/** Daemons without a mark in their environment: nothing tells them from strangers, or from those of a neighbour. */
export const mayMissDaemons = (log: FamilyLog, sight: Sight): boolean =>
  !sight.cpuCgroup &&
  (!sight.adoptsOrphans || sight.neighbours) &&
  log.makesDaemons &&
  (sight.follows || log.clearsEnvironment)

function judgeMemory(
  { resource_usage, basis, usage }: HistoryRecord,
  log: FamilyLog,
  sight: Sight,
) {
  const truth = truthOf(log)
  const told = resource_usage.memory_peak_mb
  const mebibyte = 2 ** 20
  const lasting = mayMissDaemons(log, sight) ? 0 : truth.lasting(lookSeconds(sight)).memory
  const least = sight.memoryCgroup ? truth.memory.certain : lasting
  const most = truth.memory.possible * 1.05 + truth.mostProcesses * processBytes + familyBytes
  const words = `memory ${told} MB told, ${least / mebibyte} to ${most / mebibyte} MB used (${basis['memory_peak_bytes'] ?? ''})`
  if (told === null) return least === 0 ? [] : [words]
  const problems = told * mebibyte < 0.95 * least || told * mebibyte > most ? [words] : []
  const mean = usage['memory_mean_bytes'] ?? 0
  if (mean > (usage['memory_peak_bytes'] ?? 0))
    problems.push(`the mean of memory is ${mean}, over its peak`)
  return problems
}

function judgeProcesses({ usage, basis }: HistoryRecord, log: FamilyLog, sight: Sight) {
  const truth = truthOf(log)
  const told = usage['processes_peak'] ?? null
  const least = mayMissDaemons(log, sight) ? 0 : truth.lasting(lookSeconds(sight)).processes
  const possible = truth.mostProcesses
  if (told === null) return least === 0 ? [] : ['no number of processes was told']
  return told < least || told > possible
    ? [`${told} processes told, ${least} to ${possible} seen (${basis['processes_peak']})`]
    : []
}

/** The default interval, and how late a look may come: where there is more to do than cores, we wait for our turn. */
const lookSeconds = ({ busy, neighbours, lookedWithinSeconds = 0 }: Sight): number =>
  Math.max(neighbours ? 3 : busy ? 1.25 : 1.05, lookedWithinSeconds)
