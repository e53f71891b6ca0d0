import { isLowerBound, type Measured } from '../../model/measured.ts'
import type { AttemptRecord } from '../../model/record.ts'
import type { UtilizationRow } from '../../model/utilization-row.ts'
import { usualPercent } from '../policy.ts'

/** What tells whether an attempt was kept off the CPU; a row of the ledger has all of it. */
export interface CpuWait {
  readonly durationSeconds: number | null
  readonly cpuSeconds: number | null
  readonly cpuPressureSeconds: number | null
  readonly machineCpuPressureSeconds: number | null
  readonly machineCpuPercentMean: number | null
  readonly involuntarySwitches: number | null
  /** Whether its own pressure is among them matters: that it waited at least for a moment says nothing. */
  readonly lowerBounds: UtilizationRow['lowerBounds']
}

/** Whose waiting shows it, and for which share of the time. */
export interface CpuShortage {
  readonly whose: 'job' | 'machine'
  readonly share: number
}

/** Of one core: below this a job did not compute most of the time. */
export const waitingCores = 0.2

const shortagePolicy = {
  /** Of the time: from here on it is held back. */
  pressureShare: 0.25,
  /** Of the time in which it ran or waited to: from here on it would have used more. */
  wantedShare: 0.1,
  /** Of all cores: from here a machine counts as crowded. */
  crowdedPercent: 90,
  /** Who wants a core is taken off it by others so often for each second that it has it, */
  takenOffPerCpuSecond: 10,
  /** and gets at least this much of one, however many others there are. */
  wantedCores: 0.02,
  /** A job waited for no more than so many times what is known of it: not all of its processes and moments are. */
  mostOfBound: 3,
} as const

/**
 * Whether an attempt had to wait for cores for much of its time. By how long it waited itself; where that is not known, by the
 * pressure of a crowded machine, if the job wanted cores at all. Where it is known as a lower bound, only if that speaks for it.
 */
export function cpuShortage(wait: CpuWait): CpuShortage | undefined {
  const { durationSeconds: seconds, cpuPressureSeconds } = wait
  if (seconds === null || !(seconds > 0)) return undefined
  const own = shareOf(cpuPressureSeconds, seconds)
  if (own >= shortagePolicy.pressureShare) return { whose: 'job', share: own }
  return speaksAgainst(wait, seconds) ? undefined : crowdAround(wait, seconds)
}

const shareOf = (waited: number | null, seconds: number): number =>
  Math.min(1, (waited ?? 0) / seconds)

/** Whether it shared a crowded machine and wanted cores, where nobody knows for how long it waited itself. */
function crowdAround(wait: CpuWait, seconds: number): CpuShortage | undefined {
  const share = shareOf(wait.machineCpuPressureSeconds, seconds)
  if (knowsOwnWait(wait) || share < shortagePolicy.pressureShare) return undefined
  const isCrowded = (wait.machineCpuPercentMean ?? 0) >= shortagePolicy.crowdedPercent
  return isCrowded && wantedCpu(wait, seconds) ? { whose: 'machine', share } : undefined
}

/**
 * Whether what is known of its own waits contradicts the machine's: it had cores nearly whenever it wanted one, slept for most
 * of the time, or waited so little that what a lower bound leaves out cannot make it a shortage.
 */
function speaksAgainst(wait: CpuWait, seconds: number): boolean {
  const { cpuPressureSeconds: waited, cpuSeconds } = wait
  if (waited === null || cpuSeconds === null) return false
  const wanted = cpuSeconds + waited
  const { wantedShare, pressureShare, mostOfBound } = shortagePolicy
  return (
    waited < wantedShare * wanted ||
    wanted < pressureShare * seconds ||
    mostOfBound * waited < pressureShare * seconds
  )
}

const knowsOwnWait = ({ cpuPressureSeconds, lowerBounds }: CpuWait): boolean =>
  cpuPressureSeconds !== null && !lowerBounds.includes('cpuPressureSeconds')

/**
 * Whether an attempt would have used more cores if it had had them, so that no request is lowered by what it used. How long it
 * was idle besides is no matter: two loops that shared a core for 3 s want two, however long they sleep then. But waits that
 * are shorter than the moments that a usual figure leaves out do not show in it.
 */
export function wantedMoreCpu(wait: CpuWait): boolean {
  const { durationSeconds, cpuSeconds, cpuPressureSeconds: waited } = wait
  if (cpuShortage(wait) !== undefined) return true
  if (durationSeconds === null || !(durationSeconds > 0)) return false
  // What a lower bound leaves out may be just what a request is lowered by.
  if (crowdAround(wait, durationSeconds) !== undefined) return true
  if (cpuSeconds === null || waited === null) return false
  const leftOutSeconds = (1 - usualPercent / 100) * durationSeconds
  return waited > leftOutSeconds && waited >= shortagePolicy.wantedShare * (cpuSeconds + waited)
}

/**
 * Whether all cores were busy around an attempt that wanted some, where nobody knows how long anybody waited, and nothing
 * speaks against it: then it probably got fewer than it could have used.
 */
export function isOnFullMachine(wait: CpuWait): boolean {
  const { durationSeconds: seconds, cpuSeconds, machineCpuPercentMean: busy } = wait
  if (knowsOwnWait(wait) || wait.machineCpuPressureSeconds !== null) return false
  if (seconds === null || cpuSeconds === null || busy === null) return false
  if (speaksAgainst(wait, seconds)) return false
  const { crowdedPercent, wantedCores } = shortagePolicy
  return busy >= crowdedPercent && cpuSeconds >= wantedCores * seconds
}

export const cpuWaitOf = ({ durationSeconds, usage }: AttemptRecord): CpuWait => ({
  durationSeconds,
  cpuSeconds: usage.cpuTotalSeconds.value,
  cpuPressureSeconds: usage.cpuPressureSeconds.value,
  machineCpuPressureSeconds: usage.machineCpuPressureSeconds.value,
  machineCpuPercentMean: usage.machineCpuPercentMean.value,
  involuntarySwitches: usage.involuntarySwitches.value,
  lowerBounds: isLowerBound(usage.cpuPressureSeconds) ? ['cpuPressureSeconds'] : [],
})

/** The share of its periods in which a CPU limit stopped the container of a job; null where there is no such limit. */
export function throttledPercent({ usage }: Pick<AttemptRecord, 'usage'>): number | null {
  const figures: Readonly<Record<string, Measured>> = usage
  return figures['containerThrottledPercent']?.value ?? null
}

/** A crowd is no loss to who asks for no CPU: a sleep has been taken off no core. */
function wantedCpu({ cpuSeconds, involuntarySwitches: takenOff }: CpuWait, seconds: number) {
  if (cpuSeconds === null) return false
  const busyCores = cpuSeconds / seconds
  // Nobody counts them for a process that was watched: then only what it used shows that it wanted any.
  if (takenOff === null) return busyCores >= waitingCores
  return (
    busyCores >= shortagePolicy.wantedCores &&
    takenOff >= shortagePolicy.takenOffPerCpuSecond * cpuSeconds
  )
}
