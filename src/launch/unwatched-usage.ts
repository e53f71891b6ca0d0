import { accountFigures } from '../meter/account-figures.ts'
import { emptyUsage, type Usage } from '../model/usage.ts'
import type { KernelAccount } from '../system/system.ts'

/** What is known of a job that was not looked at: the kernel's account at its end, where there is one. */
export function unwatchedUsage(
  account: KernelAccount | null,
  why: string,
  durationSeconds: number,
): Usage {
  const empty = emptyUsage(why)
  return account === null ? empty : { ...empty, ...accountFigures(account, durationSeconds) }
}
