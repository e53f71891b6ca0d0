import { inMegabytes } from '../../../model/bytes.ts'
import type { Measured } from '../../../model/measured.ts'
import { atLeast, measured } from '../../../model/measured.ts'
import type { CgroupMemory } from './cgroup-memory.ts'
import type { Members } from '../../members.ts'
import { highWaterBasis, type HeldMemory } from './held-memory.ts'

/** How much more there may have been than is told before that is worth saying. */
const tolerance = 0.05
const smallBytes = 2 * 2 ** 20
const roundBytes = 10 * 2 ** 20
/**
 * `runc init` enters the cgroup of a container, holds 4 MB there and is gone once it has become the container's program; one
 * that copies itself into memory first holds some 15 MB more.
 */
const mostRuntimeBytes = 24 * 2 ** 20

/** All that is known of how much memory a job held at its highest. */
export interface PeakEvidence {
  readonly memory: HeldMemory
  /** null where the job has no cgroup that keeps the peak. */
  readonly cgroup: {
    readonly memory: CgroupMemory
    readonly basis: string
    /** Whether a container runtime ran in it before the job did. */
    readonly hadRuntime: boolean
  } | null
  readonly members: Members
  /** Whether `members` knows all that was read and written. */
  readonly ioIsWhole: boolean
  /** How long new processes were not looked for, because that was too dear. */
  readonly blindSeconds: number
  /** The longest time between two looks. */
  readonly unlookedSeconds: number
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
  evidence: PeakEvidence,
  { memory: cgroup, basis, hadRuntime }: NonNullable<PeakEvidence['cgroup']>,
): Measured {
  const { memory, members, ioIsWhole, livingLooks, silentBelowBytes } = evidence
  const isOfRuntime = hadRuntime && cgroup.mayBeOfRuntime(mostRuntimeBytes)
  const proven = isOfRuntime ? 0 : cgroup.provenBytes(members)
  const seen = highestSeen(memory)
  const isProven = proven > seen.bytes * (1 + tolerance)
  const bytes = isProven ? proven : seen.bytes
  const cache = ioIsWhole ? 'page cache' : 'the known page cache'
  const how = isProven ? `${basis} less ${cache}, kernel memory included` : seen.basis
  // Pages that others have charged already, such as those of shared libraries, are not in the cgroup's.
  if (isProven && (livingLooks === 0 || isMore(bytes + memory.unchargedBytes, bytes)))
    return atLeast(bytes, how)
  // Perhaps its program was not loaded yet: libraries that others have charged are in no account of the job's.
  if (bytes < smallBytes && (livingLooks < 2 || memory.isGrowing)) return atLeast(bytes, how)
  // Nor is a program of which many run: a process of 40 MB that came and went between looks was told as 7. Where no process
  // has an account, as in a container, nothing says how large such a program may be: the cgroup's word stands then.
  const isTold = !Number.isFinite(silentBelowBytes) || !isMore(silentBelowBytes, bytes)
  if (!isTold && mayHaveRisenUnseen(evidence, bytes))
    return atLeast(
      bytes,
      `${how}; a process of up to ${roughly(silentBelowBytes)} that no look found at its highest may have had more, in files that others had in memory`,
    )
  if (!isMore(cgroup.likelyBytes(), bytes)) return measured(bytes, how)
  const bound = `at most ${inMegabytes(cgroup.peakBytes)} by ${basis}`
  if (!isOfRuntime) return atLeast(bytes, `${how}; ${bound}`)
  const tell = mayHaveRisenUnseen(evidence, bytes) ? atLeast : measured
  return tell(bytes, `${how}; ${bound}, in which the runtime of the container started it`)
}

function withoutCgroup(evidence: PeakEvidence): Measured {
  const { memory, members, livingLooks, silentBelowBytes } = evidence
  const { unreadBytes } = memory
  const { bytes: peakBytes, basis: peakBasis } = highestSeen(memory)
  if (isMore(unreadBytes, peakBytes))
    return atLeast(
      peakBytes,
      `${peakBasis}; at most ${inMegabytes(unreadBytes)}, the sum of resident sizes`,
    )
  if (evidence.blindSeconds > longestBlindSeconds)
    return atLeast(peakBytes, `${peakBasis}; ${blindWords(evidence.blindSeconds)}`)
  // What each of them held alone its high-water mark would tell, but not what they held together.
  if (members.hadChildren && evidence.unlookedSeconds > longestUnlookedSeconds)
    return atLeast(peakBytes, `${peakBasis}; ${unlookedWords(evidence.unlookedSeconds)}`)
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
  if (memory.countsSharedOnce && mayHaveEndedUnseen(evidence, memory.unseen.mostBytes, peakBytes))
    return atLeast(peakBytes, `${peakBasis}; ${endedUnseenWords}`)
  const seen = `${peakBasis}${silentBelowBytes === 0 ? '' : whenSeen(livingLooks)}`
  // Where shared pages are counted once per process, the sum may be too much as well as too little.
  if (!memory.countsSharedOnce || !isMore(silentBelowBytes, peakBytes))
    return measured(peakBytes, seen)
  const basis = `${seen}; ${unseenWords(silentBelowBytes)}`
  return mayHaveRisenUnseen(evidence, peakBytes)
    ? atLeast(peakBytes, basis)
    : measured(peakBytes, basis)
}

/** A job that was over before the second look has shown what it began with, not what it came to. */
function whenSeen(livingLooks: number): string {
  if (livingLooks > 1) return ''
  return livingLooks === 1
    ? ' at the only look, right after the start: it may have grown since'
    : ', read before its program was loaded'
}

/** With all that can have been copied since shared pages were last told apart: never more than all of them showed. */
const mostUnshared = ({ memory, members }: PeakEvidence): number =>
  Math.min(memory.rssPeakBytes, memory.peakBytes + memory.unsharedBytes(members, NaN))

/** The most that one process held. */
export function largestProcess(evidence: PeakEvidence): Measured {
  const { memory, silentBelowBytes } = evidence
  const bytes = memory.largestProcessBytes
  const basis = `largest process: looks and VmHWM${silentBelowBytes === 0 ? ' and wait4' : ''}`
  const isUntold = evidence.cgroup === null && evidence.members.mayHaveEndedUntold
  return isUntold || (isMore(silentBelowBytes, bytes) && mayHaveRisenUnseen(evidence, bytes))
    ? atLeast(bytes, basis)
    : measured(bytes, basis)
}

/** The most that resident sizes came to at one moment. */
export function summedPeak(evidence: PeakEvidence): Measured {
  const { rssPeakBytes, largestProcessBytes, highWaterSumBytes, unseen } = evidence.memory
  const basis = 'sum of resident sizes at the looks'
  if (largestProcessBytes > rssPeakBytes)
    return atLeast(largestProcessBytes, `${basis}; the peak of one process between them was more`)
  if (evidence.cgroup !== null) return measured(rssPeakBytes, basis)
  if (evidence.members.hadChildren && isMore(highWaterSumBytes, rssPeakBytes))
    return atLeast(rssPeakBytes, `${basis}; between them its processes held more`)
  return mayHaveEndedUnseen(evidence, unseen.mostRssBytes, rssPeakBytes)
    ? atLeast(rssPeakBytes, `${basis}; ${endedUnseenWords}`)
    : measured(rssPeakBytes, basis)
}

/** Whether processes that ended between two looks may have brought it to more than was seen. */
const mayHaveEndedUnseen = ({ members }: PeakEvidence, most: number, seen: number): boolean =>
  members.mayHaveEndedUntold || (members.hadChildren && isMore(most, seen))

const endedUnseenWords = 'processes that ended between two looks may have held more'

/**
 * A single process that has stopped growing shows all that it ever held in its high-water mark, until that was last read. Since
 * then it has held no more than its page faults can have brought.
 */
function mayHaveRisenUnseen(
  { members, memory, livingLooks, mostBytesPerFault }: PeakEvidence,
  bytes: number,
): boolean {
  if (livingLooks === 0 || members.hadChildren || memory.isGrowing) return true
  const faults = members.totals().minorFaults - memory.faultsAtMarks
  return isMore(bytes + faults * mostBytesPerFault(), bytes)
}

/** Two files are read one after the other, and a process may grow in between. */
const highestSeen = (memory: HeldMemory): { readonly bytes: number; readonly basis: string } =>
  memory.largestProcessBytes > memory.peakBytes
    ? { bytes: memory.largestProcessBytes, basis: highWaterBasis }
    : { bytes: memory.peakBytes, basis: memory.peakBasis }

const unseenWords = (silentBelowBytes: number): string => {
  const below = Number.isFinite(silentBelowBytes) ? ` below ${roughly(silentBelowBytes)}` : ''
  return `a peak between two looks${below} may have been missed`
}

/**
 * Rounded up to tens: it is our own size, which grows a little with every job, and thousands of records that differ in nothing
 * but this would each be stored with words of their own.
 */
const roughly = (bytes: number): string => inMegabytes(Math.ceil(bytes / roundBytes) * roundBytes)

/** What stands for so long is to be seen. */
export const longestBlindSeconds = 1.1

/** Looks come every second; half a second late is late. */
const longestUnlookedSeconds = 1.5

const unlookedWords = (seconds: number): string =>
  `looks at the job were ${seconds.toFixed(1)} s apart`

export const blindWords = (seconds: number): string =>
  `looking for new processes cost so much that it was skipped for ${seconds.toFixed(1)} s`

const isMore = (bytes: number, than: number): boolean => bytes > than * (1 + tolerance) + smallBytes
