import { inMegabytes } from '../../../model/bytes.ts'
import type { Measured } from '../../../model/measured.ts'
import { atLeast, measured } from '../../../model/measured.ts'
import type { CgroupMemory } from './cgroup-memory.ts'
import type { Members } from '../../members.ts'
import type { HeldMemory } from './held-memory.ts'

/** How much more there may have been than is told before that is worth saying. */
const tolerance = 0.05
const smallBytes = 2 * 2 ** 20

/** All that is known of how much memory a job held at its highest. */
export interface PeakEvidence {
  readonly memory: HeldMemory
  /** null where the job has no cgroup that keeps the peak. */
  readonly cgroup: { readonly memory: CgroupMemory; readonly basis: string } | null
  readonly members: Members
  /** Whether `members` knows all that was read and written. */
  readonly ioIsWhole: boolean
  /** How long new processes were not looked for, because that was too dear. */
  readonly blindSeconds: number
  /** Looks at which some process of it lived and held memory. */
  readonly livingLooks: number
  /** Below this the kernel's account of a process at its end says nothing. */
  readonly silentBelowBytes: number
  /** The most that one page fault can bring. */
  readonly mostBytesPerFault: () => number
}

/** The peak with how it is known, and how much more it may have been where that is not certain. */
export function peakMemory(evidence: PeakEvidence): Measured {
  return evidence.cgroup === null ? withoutCgroup(evidence) : withCgroup(evidence, evidence.cgroup)
}

function withCgroup(
  { memory, members, ioIsWhole, livingLooks }: PeakEvidence,
  { memory: cgroup, basis }: NonNullable<PeakEvidence['cgroup']>,
): Measured {
  const proven = cgroup.provenBytes(members)
  const seen = highestSeen(memory)
  const isProven = proven > seen * (1 + tolerance)
  const bytes = isProven ? proven : seen
  const cache = ioIsWhole ? 'page cache' : 'the known page cache'
  const how = isProven ? `${basis} less ${cache}, kernel memory included` : memory.peakBasis
  // Pages that others have charged already, such as those of shared libraries, are not in the cgroup's.
  if (isProven && (livingLooks === 0 || isMore(bytes + memory.unchargedBytes, bytes)))
    return atLeast(bytes, how)
  // One look, perhaps before the program was loaded: libraries that others have charged are in no account of the job's.
  if (!isProven && livingLooks < 2 && bytes < smallBytes) return atLeast(bytes, how)
  return isMore(cgroup.likelyBytes(), bytes)
    ? atLeast(bytes, `${how}; at most ${inMegabytes(cgroup.peakBytes)} by ${basis}`)
    : measured(bytes, how)
}

function withoutCgroup(evidence: PeakEvidence): Measured {
  const { memory, members, livingLooks, silentBelowBytes } = evidence
  const { peakBasis, unreadBytes } = memory
  const peakBytes = highestSeen(memory)
  if (isMore(unreadBytes, peakBytes))
    return atLeast(
      peakBytes,
      `${peakBasis}; at most ${inMegabytes(unreadBytes)}, the sum of resident sizes`,
    )
  if (evidence.blindSeconds > longestBlindSeconds)
    return atLeast(peakBytes, `${peakBasis}; ${blindWords(evidence.blindSeconds)}`)
  // Between two looks one of several processes held so much: what the others held just then nobody knows.
  if (memory.peakIsOfOne && members.hadChildren)
    return atLeast(peakBytes, `${peakBasis}; other processes are not included`)
  // Pages that they shared may have become their own since.
  if (members.hadChildren && memory.countsSharedOnce && isMore(mostUnshared(evidence), peakBytes))
    return atLeast(
      peakBytes,
      `${peakBasis}; pages that its processes shared may have become their own since`,
    )
  // Each of them held more at some moment than when all were looked at; perhaps they did so together.
  if (
    members.hadChildren &&
    memory.countsSharedOnce &&
    isMore(memory.highWaterSumBytes, memory.rssPeakBytes)
  )
    return atLeast(peakBytes, `${peakBasis}; between looks its processes held more`)
  // A job that was over before the second look has shown what it began with, not what it came to.
  const seen =
    livingLooks > 1
      ? peakBasis
      : `${peakBasis} at the only look, right after the start: it may have grown since`
  // Where shared pages are counted once per process, the sum may be too much as well as too little.
  if (!memory.countsSharedOnce || !isMore(silentBelowBytes, peakBytes))
    return measured(peakBytes, seen)
  const basis = `${seen}; ${unseenWords(silentBelowBytes)}`
  return mayHaveRisenUnseen(evidence, peakBytes)
    ? atLeast(peakBytes, basis)
    : measured(peakBytes, basis)
}

/** With all that can have been copied since shared pages were last told apart: never more than all of them showed. */
const mostUnshared = ({ memory, members }: PeakEvidence): number =>
  Math.min(memory.rssPeakBytes, memory.peakBytes + memory.unsharedBytes(members, NaN))

/** The most that one process held. */
export function largestProcess(evidence: PeakEvidence): Measured {
  const { memory, silentBelowBytes } = evidence
  const bytes = memory.largestProcessBytes
  const basis = `largest process: looks and VmHWM${silentBelowBytes === 0 ? ' and wait4' : ''}`
  return isMore(silentBelowBytes, bytes) && mayHaveRisenUnseen(evidence, bytes)
    ? atLeast(bytes, basis)
    : measured(bytes, basis)
}

/**
 * A single process that has stopped growing shows all that it ever held in its high-water mark, until that was last read. Since
 * then it has held no more than its page faults can have brought.
 */
function mayHaveRisenUnseen(
  { members, memory, mostBytesPerFault }: PeakEvidence,
  bytes: number,
): boolean {
  if (members.hadChildren || memory.isGrowing) return true
  const faults = members.totals().minorFaults - memory.faultsAtMarks
  return isMore(bytes + faults * mostBytesPerFault(), bytes)
}

/** Two files are read one after the other, and a process may grow in between. */
const highestSeen = ({ peakBytes, largestProcessBytes }: HeldMemory): number =>
  Math.max(peakBytes, largestProcessBytes)

const unseenWords = (silentBelowBytes: number): string => {
  const below = Number.isFinite(silentBelowBytes) ? ` below ${inMegabytes(silentBelowBytes)}` : ''
  return `a peak between two looks${below} would be missed`
}

/** What stands for so long is to be seen. */
export const longestBlindSeconds = 1.1

export const blindWords = (seconds: number): string =>
  `looking for new processes cost so much that it was skipped for ${seconds.toFixed(1)} s`

const isMore = (bytes: number, than: number): boolean => bytes > than * (1 + tolerance) + smallBytes
