import type { measured, Measured } from '../model/measured.ts'
import type { UsageKey } from '../model/usage.ts'
import type { KernelAccount } from '../system/system.ts'

/** What the kernel tells of a job at its end, however little of it was looked at. */
export function accountFigures(
  account: KernelAccount,
  durationSeconds: number,
  figure: typeof measured,
): Partial<Record<UsageKey, Measured>> {
  const basis = `kernel accounting at exit (${account.source})`
  const total = account.userSeconds + account.systemSeconds
  return {
    cpuUserSeconds: figure(account.userSeconds, basis),
    cpuSystemSeconds: figure(account.systemSeconds, basis),
    cpuTotalSeconds: figure(total, basis),
    cpuPercentMean: figure((total / durationSeconds) * 100, `${basis}, over the job's duration`),
    minorFaults: figure(account.minorFaults, basis),
    majorFaults: figure(account.majorFaults, basis),
    voluntarySwitches: figure(account.voluntarySwitches, basis),
    involuntarySwitches: figure(account.involuntarySwitches, basis),
  }
}
