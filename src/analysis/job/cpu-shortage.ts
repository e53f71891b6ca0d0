import type { Measured } from '../../model/measured.ts'
import type { AttemptRecord } from '../../model/record.ts'

/** What tells whether an attempt was kept off the CPU; a row of the ledger has all of it. */
export interface CpuWait {
  readonly durationSeconds: number | null
  readonly cpuSeconds: number | null
  readonly cpuPressureSeconds: number | null
  readonly machineCpuPressureSeconds: number | null
  readonly machineCpuPercentMean: number | null
  readonly involuntarySwitches: number | null
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
  /** Of all cores: from here a machine counts as crowded. */
  crowdedPercent: 90,
  /** Who wants a core is taken off it by others so often for each second that it has it, */
  takenOffPerCpuSecond: 10,
  /** and gets at least this much of one, however many others there are. */
  wantedCores: 0.02,
} as const

/**
 * Whether an attempt had to wait for cores, so that what it used says little about what it needs. By the pressure of its own
 * cgroup; without one, by that of a crowded machine, if the job wanted cores at all.
 */
export function cpuShortage(wait: CpuWait): CpuShortage | undefined {
  const { durationSeconds: seconds, cpuPressureSeconds: own, machineCpuPressureSeconds } = wait
  const waited = own ?? machineCpuPressureSeconds
  if (waited === null || seconds === null || !(seconds > 0)) return undefined
  const share = Math.min(1, waited / seconds)
  if (share < shortagePolicy.pressureShare) return undefined
  if (own !== null) return { whose: 'job', share }
  const isCrowded = (wait.machineCpuPercentMean ?? 0) >= shortagePolicy.crowdedPercent
  return isCrowded && wantedCpu(wait, seconds) ? { whose: 'machine', share } : undefined
}

/**
 * Whether all cores were busy around an attempt that wanted some, where nobody knows how long anybody waited: then it
 * probably got fewer than it could have used.
 */
export function isOnFullMachine(wait: CpuWait): boolean {
  const { durationSeconds: seconds, cpuSeconds, machineCpuPercentMean: busy } = wait
  if (wait.cpuPressureSeconds !== null || wait.machineCpuPressureSeconds !== null) return false
  if (seconds === null || cpuSeconds === null || busy === null) return false
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
