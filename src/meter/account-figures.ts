import { measured, type Measured } from '../model/measured.ts'
import type { UsageKey } from '../model/usage.ts'
import type { KernelAccount } from '../system/system.ts'

/** What the kernel tells of a job at its end, however little of it was looked at. */
export function accountFigures(
  account: KernelAccount,
  durationSeconds: number,
): Partial<Record<UsageKey, Measured>> {
  const basis = `kernel accounting at exit (${account.source})`
  const total = account.userSeconds + account.systemSeconds
  return {
    cpuUserSeconds: measured(account.userSeconds, basis),
    cpuSystemSeconds: measured(account.systemSeconds, basis),
    cpuTotalSeconds: measured(total, basis),
    cpuPercentMean: measured((total / durationSeconds) * 100, `${basis}, over the job's duration`),
    minorFaults: measured(account.minorFaults, basis),
    majorFaults: measured(account.majorFaults, basis),
    voluntarySwitches: measured(account.voluntarySwitches, basis),
    involuntarySwitches: measured(account.involuntarySwitches, basis),
  }
}
