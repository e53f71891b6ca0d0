import type { Measured } from '../model/measured.ts'
import { atLeast, measured } from '../model/measured.ts'
import type { CgroupMemory } from './cgroup-memory.ts'
import type { Members } from './members.ts'
import type { MemoryGauge } from './memory-gauge.ts'

/** How much more there may have been than is told before that is worth saying. */
const tolerance = 0.05
const smallBytes = 2 * 2 ** 20

/** All that is known of how much memory a job held at its highest. */
export interface PeakEvidence {
  readonly memory: MemoryGauge
  /** null where the job has no cgroup that keeps the peak. */
  readonly cgroup: { readonly memory: CgroupMemory; readonly basis: string } | null
  readonly members: Members
  /** Looks at which some process of it lived. */
  readonly livingLooks: number
  /** Below this the kernel's account of a process at its end says nothing; 0 where there is no such account. */
  readonly silentBelowBytes: number
}

/** The peak with how it is known, and how much more it may have been where that is not certain. */
export function peakMemory(evidence: PeakEvidence): Measured {
  return evidence.cgroup === null ? withoutCgroup(evidence) : withCgroup(evidence, evidence.cgroup)
}

function withCgroup(
  { memory, members }: PeakEvidence,
  { memory: cgroup, basis }: NonNullable<PeakEvidence['cgroup']>,
): Measured {
  const proven = cgroup.provenBytes(members)
  const isProven = proven > memory.peakBytes * (1 + tolerance)
  const bytes = isProven ? proven : memory.peakBytes
  const how = isProven ? `${basis} less page cache, kernel memory included` : memory.peakBasis
  return isMore(cgroup.likelyBytes(), bytes)
    ? atLeast(bytes, `${how}; at most ${mebibytes(cgroup.peakBytes)} by ${basis}`)
    : measured(bytes, how)
}

function withoutCgroup(evidence: PeakEvidence): Measured {
  const { memory, livingLooks, silentBelowBytes } = evidence
  const { peakBytes, peakBasis, unreadBytes, besideBytes } = memory
  if (isMore(unreadBytes, peakBytes))
    return atLeast(
      peakBytes,
      `${peakBasis}; at most ${mebibytes(unreadBytes)}, the sum of resident sizes`,
    )
  // Between two looks one of several processes held so much: what the others held just then nobody knows.
  if (memory.peakIsOfOne && isMore(peakBytes + besideBytes, peakBytes))
    return atLeast(peakBytes, `${peakBasis}; others beside it are not in it`)
  // A job that was over before the second look has shown what it began with, not what it came to.
  const seen =
    livingLooks > 1
      ? peakBasis
      : `${peakBasis} at the only look, right after the start: it may have grown since`
  return measured(
    peakBytes,
    isMore(silentBelowBytes, peakBytes)
      ? `${seen}; a moment between two looks would not be seen below ${mebibytes(silentBelowBytes)}`
      : seen,
  )
}

const isMore = (bytes: number, than: number): boolean => bytes > than * (1 + tolerance) + smallBytes

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`
