import { countCores } from '../../model/count.ts'
import { roundKeeping } from '../../model/fixed-keeping.ts'
import { boundedWords, roughCores, roughShare } from '../../model/rough-figures.ts'
import { serialCores } from '../policy.ts'
import { ioShare, type BoundEvidence } from './activity.ts'

/** Where the lines are drawn. */
const oneCorePolicy = {
  /** A thread that is busy for this share of the time has no time left to wait for anything. */
  busyThreadShare: 0.9,
  /** A thread that did this share of the work did it alone. */
  loneThreadShare: 0.9,
  /** The other cores idle if they are busy for no more than this share of the time. */
  idleShareOfOthers: 0.25,
  /** They did nothing if all of them together were busy for less. */
  idleCores: 0.01,
  /** A serial job's peak stays near 100 %; above this it was parallel for part of the time. */
  oneCorePeakPercent: 130,
  /** A program, and the shell that starts it: more of them may be at work at once. */
  fewProcesses: 2,
  /** Mean cores of one that waits now and then. */
  mostlyOneCore: { least: 0.6, most: 0.95 },
  /** What was busier for a twentieth of the time at most is then no more than a tenth of a core on average. */
  mostlyOneCorePeakPercent: 200,
} as const

interface OneCoreVerdict {
  /** `unknown`: it used about one core, and nothing tells whether it could use more. */
  readonly kind: 'one-core' | 'unknown'
  readonly sentence: string
}

/** Known only where threads were measured; then the one to look at can be named. */
export function oneThread(evidence: BoundEvidence): OneCoreVerdict | undefined {
  const { busyCores, cores, coresBasis, busiestThread: thread, certain } = evidence
  if (thread === undefined || cores < 2 || evidence.mayHaveUsedMoreCpu) return undefined
  if (thread.share < oneCorePolicy.busyThreadShare) return undefined
  const othersCores = Math.max(0, busyCores - thread.share)
  const left = cores - 1
  if (othersCores / left > oneCorePolicy.idleShareOfOthers) return undefined
  const kind = coresBasis === 'request' ? 'requested ' : ''
  const others = left === 1 ? `${kind}core` : `${roundKeeping(left, 2)} ${kind}cores`
  const rest = `the other ${others}${thatItMayUse(evidence)}`
  const busy = boundedWords(roughShare(thread.share), thread.isLowerBound)
  // The others did what all did less what the thread did: less than that if it did more, and nobody knows if they all did.
  const isKnown = certain('cpuTotalSeconds') !== null
  const atMost = thread.isLowerBound ? 'at most ' : ''
  const little = isKnown ? `little (${atMost}${workWords(othersCores)})` : 'little'
  const did = isKnown && othersCores < oneCorePolicy.idleCores ? 'nothing' : little
  const sentence = `One thread, '${thread.name}', was busy ${busy} of the time while ${rest} did ${did}: the job waits for it.`
  return { kind: 'one-core', sentence }
}

/** A limit may leave a container a few cores of a large machine. */
const thatItMayUse = ({ coresBasis }: BoundEvidence): string =>
  coresBasis === 'limit' ? ' that its container may use' : ''

/** `8`, `2 that its container may use`: how many there are, of which it used one. */
const amongCores = (evidence: BoundEvidence): string =>
  `${roundKeeping(evidence.cores, 2)}${thatItMayUse(evidence)}`

/** Of all of them together: a share of 63 cores tells nobody that one of them was half busy. */
const workWords = (cores: number): string =>
  cores < 1 ? `${roughShare(cores)} of one core` : `${roughCores(cores)} cores`

/** About one core on average, and never many more. */
function usedOneCore({ busyCores, cores, figure }: BoundEvidence): boolean {
  if (cores < 2 || busyCores < serialCores.least || busyCores > serialCores.most) return false
  return (figure('cpuPercentPeak') ?? 0) <= oneCorePolicy.oneCorePeakPercent
}

export function oneCore(evidence: BoundEvidence): OneCoreVerdict | undefined {
  const { busyCores, cores, busiestThread: thread, figure, told } = evidence
  if (!usedOneCore(evidence)) return undefined
  if (evidence.mayHaveUsedMoreCpu || mayRunSideBySide(evidence)) return undefined
  const sentence =
    figure('cpuPercentPeak') === null
      ? `Used ${told(`${roughCores(busyCores)} of ${countCores(cores)}${thatItMayUse(evidence)}`, 'cpuTotalSeconds')} on average, as serial work does; its peak was not measured.`
      : `Used one core of ${amongCores(evidence)}${whoseCore(thread, busyCores)}: it is serial, so more cores will not help.`
  return { kind: 'one-core', sentence }
}

/** What seems to be `oneCore`, and cannot be told to be. */
export function perhapsOneCore(evidence: BoundEvidence): OneCoreVerdict | undefined {
  const { busyCores, busiestThread: thread, figure, certain } = evidence
  if (!usedOneCore(evidence)) return undefined
  if (evidence.mayHaveUsedMoreCpu)
    return {
      kind: 'unknown',
      sentence: `Used one core of ${amongCores(evidence)}, as far as it was seen${whoseCore(thread, busyCores)}: its CPU time is a lower bound, and what was not seen of it may have kept more cores busy.`,
    }
  if (!mayRunSideBySide(evidence)) return undefined
  const most = figure('processesPeak')
  const processes =
    certain('processesPeak') === null ? `processes, at least ${most},` : `${most} processes`
  return {
    kind: 'unknown',
    sentence: `Used about one core of ${amongCores(evidence)} on average: whether its ${processes} take turns, or run side by side for moments, is not known.`,
  }
}

/** One that others kept from being busy all the time, on a machine that is full, is named all the same. */
const whoseCore = (thread: BoundEvidence['busiestThread'], busyCores: number): string =>
  thread !== undefined && thread.share >= oneCorePolicy.loneThreadShare * busyCores
    ? `, nearly all of it in one thread, '${thread.name}'`
    : ''

/** One that is busy for most of the time, and waits besides. What is only a lower bound may have been more than one core. */
export function mostlyOneCore(evidence: BoundEvidence): OneCoreVerdict | undefined {
  const { busyCores, cores, busiestThread: thread, told } = evidence
  const { least, most } = oneCorePolicy.mostlyOneCore
  if (cores < 2 || busyCores < least || busyCores > most) return undefined
  if (evidence.wantsMoreCpu || evidence.mayHaveUsedMoreCpu) return undefined
  if (!keptToOneCore(evidence)) return undefined
  const whose = whoseCore(thread, busyCores)
  // Threads that each wait most of the time may run side by side, too.
  if (mayRunSideBySide(evidence) || (thread !== undefined && whose === '')) return undefined
  const delaySeconds = evidence.figure('ioDelaySeconds') ?? 0
  const pressure = evidence.share('ioPressureSeconds')
  const waited = pressure ?? Math.min(1, delaySeconds / evidence.seconds)
  const waitedKey = pressure === null ? 'ioDelaySeconds' : 'ioPressureSeconds'
  const rest =
    waited >= ioShare
      ? `it waited ${told(roughShare(waited), waitedKey)} of the time for storage`
      : 'the rest of the time it waited'
  const sentence = `Mostly one core${whose}: ${told(roughShare(busyCores), 'cpuTotalSeconds')} of one core on average; ${rest}.`
  return { kind: 'one-core', sentence }
}

/** The peak is that of a second, in which several processes may both have worked at once and waited. */
const mayRunSideBySide = ({ busiestThread: thread, figure }: BoundEvidence): boolean =>
  thread === undefined && (figure('processesPeak') ?? 1) > oneCorePolicy.fewProcesses

/** Never more than one core, or hardly more and for moments only. */
function keptToOneCore({ figure, mayHaveHigherPeak }: BoundEvidence): boolean {
  const peakPercent = figure('cpuPercentPeak')
  const usualPercent = figure('cpuPercentP95')
  if (peakPercent === null || mayHaveHigherPeak) return false
  if (peakPercent <= oneCorePolicy.oneCorePeakPercent) return true
  if (usualPercent === null || usualPercent / 100 > serialCores.most) return false
  return peakPercent <= oneCorePolicy.mostlyOneCorePeakPercent
}
