import { askedSize, inMegabytes, megabyte, wholeMegabytes } from '../../model/bytes.ts'
import { certainValue } from '../../model/measured.ts'
import { killedForMemoryText } from '../../model/outcome.ts'
import type { AttemptRecord } from '../../model/record.ts'
import { boundedWords, roughCores, roughSeconds, roughShare } from '../../model/rough-figures.ts'
import type { UsageKey } from '../../model/usage.ts'
import { ioOutweighsCpu, ioShare, type BoundEvidence } from './activity.ts'
import { busiestThread } from './busiest-thread.ts'
import { ceilingInWords, cpuCeiling, type CpuCeiling } from '../limits/cpu-ceiling.ts'
import {
  cpuShortage,
  cpuWaitOf,
  isOnFullMachine,
  wantedMoreCpu,
  throttledPercent,
  waitingCores,
} from '../limits/cpu-shortage.ts'
import { gpuBoundBy, type GpuVerdictKind } from './gpu-bound.ts'
import { gpuUnknown } from './gpu-unknown.ts'
import { mostlyOneCore, oneCore, oneThread, perhapsOneCore } from './one-core.ts'
import { outOfMemory, type OutOfMemory } from '../limits/out-of-memory.ts'
import { mayHaveHigherPeak, mayHaveUsedMoreCpu } from './unseen-cpu.ts'

/**
 * What can hold a job back, in a word.
 *
 * @see boundBy
 */
export type VerdictKind =
  | 'out-of-memory'
  | 'cpu'
  | 'one-core'
  | 'memory'
  | 'io'
  | 'waiting'
  | 'cpu-contention'
  | 'cpu-limit'
  | 'too-short'
  | GpuVerdictKind
  | 'unknown'

/**
 * What held a job back, in one sentence with the evidence.
 *
 * @see boundBy
 */
export interface Verdict {
  readonly kind: VerdictKind
  readonly sentence: string
}

/** Where the lines are drawn. Shares are of the job's duration unless they say otherwise. */
const boundByPolicy = {
  /** Below this, start-up and clock ticks weigh more than the work. */
  shortestSeconds: 0.5,
  /** Reclaim already hurts when a tenth of the time goes to it. */
  memoryPressureShare: 0.1,
  /** Share of the cores it could use from which a job counts as saturating them. */
  saturatedShareOfCores: 0.85,
  /** More cores than this many times the request is worth saying. */
  overRequestFactor: 1.1,
  /** Of the periods of a CPU limit: who is stopped in fewer of them gets nearly all that it wants. */
  throttledPercent: 10,
  /** The machine's pressure is everybody's: a job moves at least this much to be part of it. */
  leastIoBytesPerSecond: megabyte,
  /** And holds at least this share of the memory in use. */
  leastShareOfUsedMemory: 0.5,
} as const

type Rule = (evidence: BoundEvidence) => Verdict | undefined

/** The first rule that applies speaks. */
const rules: readonly Rule[] = [
  saturatedCores,
  heldBackForCpu,
  storageBound,
  machineShortOfMemory,
  machineStorageBound,
  machineCrowded,
  oneThread,
  oneCore,
  fullMachine,
  mostlyOneCore,
  perhapsOneCore,
  mostlyWaiting,
]

/**
 * Says what held a job back, as far as its figures show it.
 *
 * @example
 * ```ts
 * import { boundBy, measure, type AttemptRecord, type Verdict, type VerdictKind } from 'jobmeter'
 *
 * const record: AttemptRecord = await measure(['sleep', '0.6'])
 * const verdict: Verdict = boundBy(record)
 * const kind: VerdictKind = verdict.kind
 * console.log(kind, verdict.sentence)
 * ```
 */
export function boundBy(record: AttemptRecord): Verdict {
  if (record.status === 'waiting') return unknown('It has not begun: nothing to judge yet.')
  // Of one that the agent of its node sees, there is something to judge while it runs.
  if (record.status === 'running' && record.durationSeconds === null)
    return unknown('Still running: nothing to judge yet.')
  const killed = outOfMemory(record)
  if (killed !== undefined) return killedForMemory(killed, record)
  const seconds = record.durationSeconds
  if (seconds === null) return unknown('Not known: its end was not seen.')
  if (seconds === 0 && record.status === 'error') return unknown('Nothing to judge: it never ran.')
  if (seconds < boundByPolicy.shortestSeconds) {
    return {
      kind: 'too-short',
      sentence: `Too short to tell: it ran for ${roughSeconds(seconds)}.`,
    }
  }
  const throttled = throttledPercent(record) ?? 0
  if (throttled >= boundByPolicy.throttledPercent) return heldToLimit(throttled)
  const figure = (key: UsageKey): number | null => record.usage[key].value
  const cpuSeconds = figure('cpuTotalSeconds')
  if (cpuSeconds === null) return unknown('Not known: its CPU time was not measured.')
  const share = (key: UsageKey): number | null => {
    const value = figure(key)
    return value === null ? null : Math.min(1, value / seconds)
  }
  const { cores, basis: coresBasis } = coresToUse(record)
  const certain = (key: UsageKey): number | null => certainValue(record.usage[key])
  const evidence: BoundEvidence = {
    seconds,
    cpuSeconds,
    busyCores: cpuSeconds / seconds,
    cores,
    coresBasis,
    shortage: cpuShortage(cpuWaitOf(record)),
    wantsMoreCpu: wantedMoreCpu(cpuWaitOf(record)),
    isOnFullMachine: isOnFullMachine(cpuWaitOf(record)),
    mayHaveUsedMoreCpu: mayHaveUsedMoreCpu(record),
    mayHaveHigherPeak: mayHaveHigherPeak(record),
    busiestThread: busiestThread(record.usage),
    gpuUnknown: gpuUnknown(record),
    figure,
    certain,
    told: (words, ...keys) =>
      boundedWords(
        words,
        keys.some((key) => certain(key) === null),
      ),
    share,
  }
  const byMemory = shortOfMemory(evidence)
  if (byMemory !== undefined) return byMemory
  // Who holds a card is judged by that: a core that is busy all the time may do no more than feed it.
  const byCard = gpuBoundBy(record.usage, seconds, evidence.busyCores)
  if (byCard !== undefined) return byCard
  for (const rule of rules) {
    const verdict = rule(evidence)
    if (verdict !== undefined) return verdict
  }
  const waited = share('ioPressureSeconds') ?? 0
  const storage =
    waited >= ioShare
      ? ` and waited ${evidence.told(roughShare(waited), 'ioPressureSeconds')} of the time for storage`
      : ''
  const isCoreWaitKnown =
    figure('cpuPressureSeconds') !== null || figure('machineCpuPressureSeconds') !== null
  const core = isCoreWaitKnown ? '' : '; how long it waited for a core was not measured'
  return unknown(
    `No single limit stands out: it kept ${ofCores(evidence)} busy on average${storage}${core}.`,
  )
}

/** Nobody can run on cores that the machine does not have. */
function coresToUse(record: AttemptRecord): CpuCeiling {
  const machine = { cores: record.machine.cores, basis: 'machine' } as const
  const ceiling = cpuCeiling(record) ?? machine
  return ceiling.cores > machine.cores ? machine : ceiling
}

/** Before all else: whatever it waited for, it did not end because of that. */
function killedForMemory(
  { killed, limitBytes, raise, askBytes }: OutOfMemory,
  { exitCode }: AttemptRecord,
): Verdict {
  const who = killed ? killedForMemoryText(killed) : 'it was killed'
  const at = limitBytes === null ? '' : ` at its limit of ${inMegabytes(limitBytes)}`
  const though = exitCode === 0 ? ', although the job exited with 0' : ''
  const to = raise === 'request' ? '' : 'to '
  const ask =
    askBytes === null ? more[raise] : `${more[raise]}, such as ${to}${askedSize(askBytes)}`
  return { kind: 'out-of-memory', sentence: `Out of memory: ${who}${at}${though}. ${ask}.` }
}

const more = {
  request: 'Ask for more',
  limit: 'Raise its memory limit',
  container: 'Raise the memory limit of the container',
} as const

function heldToLimit(percent: number): Verdict {
  const sentence = `Throttled by its CPU limit in ${roughShare(percent / 100)} of the periods in which it ran. Raise the limit of the container.`
  return { kind: 'cpu-limit', sentence }
}

function shortOfMemory({ share, figure, told }: BoundEvidence): Verdict | undefined {
  const waited = share('memoryPressureSeconds')
  if (waited === null || waited < boundByPolicy.memoryPressureShare) return undefined
  const swapped = figure('swapPeakBytes')
  const swap = swapped ? `, ${told(wholeMegabytes(swapped), 'swapPeakBytes')} were swapped out` : ''
  const sentence = `Short of memory: waited ${told(roughShare(waited), 'memoryPressureSeconds')} of the time for it (memory pressure)${swap}.`
  return { kind: 'memory', sentence }
}

function saturatedCores(evidence: BoundEvidence): Verdict | undefined {
  const { busyCores, cores, coresBasis, told } = evidence
  if (!(cores > 0)) return undefined
  const share = busyCores / cores
  if (share < boundByPolicy.saturatedShareOfCores) return undefined
  const sentence =
    coresBasis === 'request' && share > boundByPolicy.overRequestFactor
      ? `CPU-bound: kept ${told(`${roughCores(busyCores)} cores`, 'cpuTotalSeconds')} busy, more than the ${cores} it asked for.`
      : `CPU-bound: kept ${ofCores(evidence)} busy (${roughShare(share)}).`
  return { kind: 'cpu', sentence }
}

/** Saturated cores were ruled out before, so its tasks did not merely wait for one another. */
function heldBackForCpu(evidence: BoundEvidence): Verdict | undefined {
  if (evidence.shortage?.whose !== 'job') return undefined
  const { share: waited } = evidence.shortage
  // Whoever waits longer for storage is held back by that.
  if (waited < (evidence.share('ioPressureSeconds') ?? 0)) return undefined
  const share = evidence.told(roughShare(waited), 'cpuPressureSeconds')
  const sentence = `Short of CPU: waited ${share} of the time for a free core (CPU pressure) and got ${ofCores(evidence)}.`
  return { kind: 'cpu-contention', sentence }
}

function storageBound(evidence: BoundEvidence): Verdict | undefined {
  const { share, figure, told, cpuSeconds, seconds } = evidence
  const pressure = share('ioPressureSeconds')
  if (pressure !== null && pressure >= ioShare) {
    if (!ioOutweighsCpu(evidence, pressure * seconds)) return undefined
    const sentence = `I/O-bound: waited ${told(roughShare(pressure), 'ioPressureSeconds')} of the time for storage (I/O pressure).`
    return { kind: 'io', sentence }
  }
  const delaySeconds = figure('ioDelaySeconds')
  if (pressure !== null || delaySeconds === null) return undefined
  // The delay is summed over processes, as CPU time is.
  if (delaySeconds / seconds < ioShare) return undefined
  if (!ioOutweighsCpu(evidence, delaySeconds)) return undefined
  const waited = told(roughSeconds(delaySeconds), 'ioDelaySeconds')
  const computed = told(
    `${roughSeconds(cpuSeconds)} in ${roughSeconds(seconds)}`,
    'cpuTotalSeconds',
  )
  const sentence = `I/O-bound: its processes waited ${waited} for storage (block I/O delay) and computed for ${computed}.`
  return { kind: 'io', sentence }
}

/**
 * Without a cgroup of its own a job's pressure is not known. The machine's is, and is evidence where the
 * job had its part in it; the sentence says whose it is.
 */
function machineShortOfMemory({ share, figure, told }: BoundEvidence): Verdict | undefined {
  if (figure('memoryPressureSeconds') !== null) return undefined
  const waited = share('machineMemoryPressureSeconds')
  const peakBytes = figure('memoryPeakBytes')
  const usedBytes = figure('machineMemoryMaxBytes')
  if (waited === null || waited < boundByPolicy.memoryPressureShare) return undefined
  if (peakBytes === null || usedBytes === null) return undefined
  if (!(peakBytes >= boundByPolicy.leastShareOfUsedMemory * usedBytes)) return undefined
  const sentence = `Probably short of memory: the machine waited ${roughShare(waited)} of the time for it (machine pressure); the job held ${told(wholeMegabytes(peakBytes), 'memoryPeakBytes')}.`
  return { kind: 'memory', sentence }
}

function machineStorageBound(evidence: BoundEvidence): Verdict | undefined {
  const { share, figure, told, seconds } = evidence
  if (figure('ioPressureSeconds') !== null || figure('ioDelaySeconds') !== null) return undefined
  const waited = share('machineIoPressureSeconds')
  const readBytes = figure('readBytes')
  const writeBytes = figure('writeBytes')
  if (waited === null || waited < ioShare) return undefined
  if (readBytes === null || writeBytes === null) return undefined
  const movedBytes = readBytes + writeBytes
  if (movedBytes / seconds < boundByPolicy.leastIoBytesPerSecond) return undefined
  if (!ioOutweighsCpu(evidence, waited * seconds)) return undefined
  const sentence = `Probably I/O-bound: the machine waited ${roughShare(waited)} of the time for storage (machine pressure); the job moved ${told(wholeMegabytes(movedBytes), 'readBytes', 'writeBytes')}.`
  return { kind: 'io', sentence }
}

function machineCrowded(evidence: BoundEvidence): Verdict | undefined {
  if (evidence.shortage?.whose !== 'machine') return undefined
  const { share: waited } = evidence.shortage
  const own = evidence.share('cpuPressureSeconds')
  // Of its own waits only a part is known here; what they were at least does not contradict it.
  const ofIt = own === null ? '' : ` and waited at least ${roughShare(own)} of the time for one`
  const sentence = `Probably short of CPU: the machine waited ${roughShare(waited)} of the time for a core (machine pressure); the job got ${ofCores(evidence)}${ofIt}.`
  return { kind: 'cpu-contention', sentence }
}

/** Nobody measured who waited for a core; but there was none left. */
function fullMachine(evidence: BoundEvidence): Verdict | undefined {
  const busyPercent = evidence.figure('machineCpuPercentMean')
  if (!evidence.isOnFullMachine || busyPercent === null) return undefined
  const sentence = `Probably waited for CPU: the cores of the machine were ${roughShare(busyPercent / 100)} busy; the job got ${ofCores(evidence)}.`
  return { kind: 'cpu-contention', sentence }
}

function mostlyWaiting(evidence: BoundEvidence): Verdict | undefined {
  const { busyCores, figure, told, gpuUnknown: card } = evidence
  if (busyCores >= waitingCores) return undefined
  const storageKnown = figure('ioPressureSeconds') !== null || figure('ioDelaySeconds') !== null
  // Only a job that was seen not to wait for storage can be said to have waited for something else.
  const why = storageKnown
    ? `it slept or waited for the network, a lock${card === undefined ? ' or input' : `, input or ${card.gpu}`}`
    : 'what it waited for was not measured'
  // What it was not seen to do may have been anything.
  const busy = `${roughShare(busyCores)} of one core`
  const sentence = evidence.mayHaveUsedMoreCpu
    ? `Mostly waiting, as far as it was seen: ${busy}; ${why}. Its CPU time is a lower bound.`
    : `Mostly waiting: ${told(busy, 'cpuTotalSeconds')}; ${why}.`
  return {
    kind: 'waiting',
    sentence: card === undefined ? sentence : `${sentence} ${card.sentence}`,
  }
}

const unknown = (sentence: string): Verdict => ({ kind: 'unknown', sentence })

function ofCores({ busyCores, cores, coresBasis, told }: BoundEvidence): string {
  const words = `${roughCores(busyCores)} of ${ceilingInWords({ cores, basis: coresBasis })}`
  return told(words, 'cpuTotalSeconds')
}
