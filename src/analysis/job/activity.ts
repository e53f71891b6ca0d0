import { megabyte } from '../../model/bytes.ts'
import type { UsageKey } from '../../model/usage.ts'
import type { BusiestThread } from './busiest-thread.ts'
import type { GpuUnknown } from './gpu-unknown.ts'
import type { CpuCeiling } from '../limits/cpu-ceiling.ts'
import type { CpuShortage } from '../limits/cpu-shortage.ts'

/** What the rules look at: measured figures, or null. */
export interface BoundEvidence {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly busyCores: number
  /** How many it could use, and what says so. */
  readonly cores: number
  readonly coresBasis: CpuCeiling['basis']
  readonly shortage: CpuShortage | undefined
  /** It waited for a core more than a little, or may have. */
  readonly wantsMoreCpu: boolean
  /** All cores were busy, and it wanted some. */
  readonly isOnFullMachine: boolean
  /** What it did unseen may have kept more cores busy. */
  readonly mayHaveUsedMoreCpu: boolean
  /** It may have been busier for a moment than its peak says. */
  readonly mayHaveHigherPeak: boolean
  readonly busiestThread: BusiestThread | undefined
  readonly gpuUnknown: GpuUnknown | undefined
  readonly figure: (key: UsageKey) => number | null
  /** The same, but null where it is only a lower bound. */
  readonly certain: (key: UsageKey) => number | null
  /** Words that begin with one of these figures, or are made of them: "at least" where one is only a lower bound. */
  readonly told: (words: string, ...keys: readonly UsageKey[]) => string
  /** Share of the duration, at most 1. */
  readonly share: (key: UsageKey) => number | null
}

/** Of its duration: who waited so much of it for storage is told so. */
export const ioShare = 0.2

const activityPolicy = {
  /** The kernel copies no slower than this, and no call takes longer: what is left of its time is not for I/O. */
  copiedBytesPerSecond: 250 * megabyte,
  secondsPerCall: 20e-6,
} as const

/** Whether more of its time went to I/O, waited for or copied by the kernel, than to computing. */
export function ioOutweighsCpu(
  { figure, cpuSeconds }: BoundEvidence,
  waitedSeconds: number,
): boolean {
  const sum = (...keys: readonly UsageKey[]): number =>
    keys.reduce((total, key) => total + (figure(key) ?? 0), 0)
  const { copiedBytesPerSecond, secondsPerCall } = activityPolicy
  const copying = Math.min(
    figure('cpuSystemSeconds') ?? 0,
    sum('readChars', 'writeChars') / copiedBytesPerSecond +
      sum('readCalls', 'writeCalls') * secondsPerCall,
  )
  return waitedSeconds + copying > cpuSeconds - copying
}
