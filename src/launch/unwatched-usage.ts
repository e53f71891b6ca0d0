import type { Measured } from '../model/measured.ts'
import { emptyUsage, type Usage, type UsageKey } from '../model/usage.ts'

/** What is known of a job that was not looked at: what the kernel told at its end, if it did. */
export const unwatchedUsage = (told: Partial<Record<UsageKey, Measured>>, why: string): Usage => ({
  ...emptyUsage(why),
  ...told,
})
