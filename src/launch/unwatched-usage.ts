import { measured } from '../model/measured.ts'
import { emptyUsage, type Usage } from '../model/usage.ts'
import type { KernelAccount } from '../system/system.ts'

/** What is known of a job that was not looked at: the kernel's account at its end, where there is one. */
export function unwatchedUsage(
  account: KernelAccount | null,
  why: string,
  durationSeconds: number,
): Usage {
  const empty = emptyUsage(why)
  if (account === null) return empty
  const basis = `kernel accounting at exit (${account.source})`
  const total = account.userSeconds + account.systemSeconds
  return {
    ...empty,
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
