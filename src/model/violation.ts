import type { Severity } from './alert.ts'
import type { JobKind } from './node-round.ts'
import { daySeconds } from './time-parts.ts'

/** The job that a policy speaks of. */
export interface ViolatingJob {
  readonly epoch: string
  readonly kind: JobKind
  readonly id: string
  readonly command: string
}

/** Who breaks a policy: a job, or, without one, all that a user does on a host. */
export interface PolicySubject {
  readonly host: string
  readonly user: string
  readonly account: string | null
  readonly job: ViolatingJob | null
}

/** What a policy found, for as long as it was so. Times are in seconds since 1970. */
export interface PolicyFinding {
  readonly policy: string
  readonly severity: Severity
  readonly subject: PolicySubject
  readonly firstSeen: number
  readonly lastSeen: number
  /** How much of that time was looked at and it was so. */
  readonly heldSeconds: number
  /** What was found, in one sentence without a full stop. */
  readonly text: string
  /** Why nobody is harmed, such as `14 of 16 cores were free`; null if it is a violation. */
  readonly suppressedBecause: string | null
}

/** A finding as it is kept. One that was suppressed all the time has never been reported. */
export interface Violation extends PolicyFinding {
  readonly id: number
  readonly reportedAt: number | null
  readonly resolvedAt: number | null
  readonly resolvedBecause: string | null
}

/** That a violation is over, and why. */
export interface EndedViolation {
  readonly policy: string
  readonly subject: PolicySubject
  readonly because: string
}

export type ViolationState = 'open' | 'resolved' | 'suppressed'

export const violationState = ({ suppressedBecause, resolvedAt }: Violation): ViolationState =>
  suppressedBecause !== null ? 'suppressed' : resolvedAt === null ? 'open' : 'resolved'

/** A job is reported once. A user, who may do the same another day, is reported again after this. */
const againSeconds = daySeconds

/** What becomes of a finding, by what is known of the same subject and policy already. */
export function wayToKeep(
  known: Pick<PolicyFinding, 'suppressedBecause' | 'lastSeen'> | undefined,
  { subject, suppressedBecause, firstSeen }: PolicyFinding,
): 'new' | 'goes on' | 'harms from now on' | 'nothing new' {
  if (known === undefined) return 'new'
  if (subject.job === null && firstSeen - known.lastSeen >= againSeconds) return 'new'
  if (known.suppressedBecause !== null)
    return suppressedBecause === null ? 'harms from now on' : 'goes on'
  // That nobody is harmed any more shows when it ends.
  return suppressedBecause === null ? 'goes on' : 'nothing new'
}

/** What keeps policies from judging hosts, by host and policy. */
export interface NotJudged {
  readonly host: string
  /** Null: none of them. */
  readonly policy: string | null
  readonly why: string
}
