import { isOpen } from '../../model/outcome.ts'
import { gpuFigure } from '../../model/gpu-usage.ts'
import type { JobRecord } from '../../model/record.ts'
import { requestMargins } from '../policy.ts'
import { cpuCeiling } from '../limits/cpu-ceiling.ts'
import { cpuShortage, cpuWaitOf, throttledPercent, wantedMoreCpu } from '../limits/cpu-shortage.ts'
import type { Verdict } from './bound-by.ts'
import type { Efficiency } from './efficiency.ts'
import type { IdleEnds } from '../series/idle-ends.ts'
import type { LimitReached } from '../series/leak-limit.ts'
import type { MemoryTrend } from '../series/leak.ts'
import { outOfMemory, roundMemory } from '../limits/out-of-memory.ts'
import { askAfterTimeout, roundRuntime } from '../limits/over-time.ts'
import { sizedRecord } from '../sizing/sized-record.ts'
import { sizeRequest } from '../sizing/sizing.ts'
import { gpuUnknown } from './gpu-unknown.ts'
import { gpuWorked } from './gpu-worked.ts'
import { mayHaveUsedMoreCpu } from './unseen-cpu.ts'

/** Something to do, with what it is about for scripts. Figures stand in the facts it names. */
export interface Advice {
  readonly about: AdviceAbout
  /** The figures that the words need: bytes, seconds or cores, by the subject. */
  readonly figures: Readonly<Record<string, number>>
}

export type AdviceAbout =
  | 'out-of-memory'
  | 'over-time'
  | 'leak'
  | 'short-of-memory'
  | 'serial'
  | 'too-many-cores'
  | 'idle-tail'
  | 'storage'
  | 'crowded'
  | 'waiting'
  | 'start-up'
  | 'too-little-memory'
  | 'too-little-time'
  | 'too-much-memory'
  | 'too-much-time'
  | 'more-cores'
  | 'too-few-cores'
  | 'no-samples'
  | 'unused-gpus'
  | 'gpu-feeding'
  | 'small-kernels'
  | 'shared-gpus'

export interface Findings {
  readonly record: JobRecord
  readonly verdict: Verdict
  readonly efficiency: Efficiency
  readonly ends: IdleEnds
  readonly trend: MemoryTrend
  readonly limit: LimitReached | null
  readonly hasSamples: boolean
}

/** Where the lines are drawn; the shares are those that sites act on. */
const advicePolicy = {
  most: 3,
  lowCoreShare: 0.6,
  lowMemoryShare: 0.35,
  lowTimeShare: 0.2,
  longEndShare: 0.1,
} as const

type Rule = (findings: Findings) => Advice | undefined

/** In order of what it costs: a job that dies, time lost, cores held in vain, the rest. */
const rules: readonly Rule[] = [
  ranOutOfMemory,
  overTime,
  leaks,
  shortOfMemory,
  tooLittleMemory,
  tooLittleTime,
  unusedGpus,
  gpuFeeding,
  smallKernels,
  sharedGpus,
  idleTail,
  serial,
  tooManyCores,
  storage,
  crowded,
  startUp,
  waiting,
  tooMuchMemory,
  tooMuchTime,
  moreCores,
  noSamples,
]

/** The three most worthwhile things to do, in order; fewer where there is less to say. */
export function advise(findings: Findings): Advice[] {
  const found: Advice[] = []
  for (const rule of rules) {
    const advice = rule(findings)
    if (advice !== undefined) found.push(advice)
    if (found.length === advicePolicy.most) break
  }
  return found
}

/** The limit that is to be raised, if that is not the request. */
const limitFigure = {
  request: () => ({}),
  limit: (bytes: number) => ({ limit_bytes: bytes }),
  container: (bytes: number) => ({ container_limit_bytes: bytes }),
}

function ranOutOfMemory({ record }: Findings): Advice | undefined {
  const found = outOfMemory(record)
  if (found === undefined) return undefined
  const { askBytes, limitBytes, raise } = found
  const limit = limitBytes === null ? {} : limitFigure[raise](limitBytes)
  return {
    about: 'out-of-memory',
    figures: {
      ...(askBytes === null ? {} : { ask_bytes: askBytes }),
      ...limit,
    },
  }
}

function overTime({ record }: Findings): Advice | undefined {
  const ask = askAfterTimeout(record)
  return ask === null ? undefined : { about: 'over-time', figures: { ask_seconds: ask } }
}

function leaks({ trend, limit }: Findings): Advice | undefined {
  if (trend.kind !== 'leak') return undefined
  const figures = { bytes_per_hour: trend.leak.bytesPerHour }
  return limit === null
    ? { about: 'leak', figures }
    : { about: 'leak', figures: { ...figures, limit_reached_seconds: limit.atSeconds } }
}

function shortOfMemory({ verdict, record }: Findings): Advice | undefined {
  if (verdict.kind !== 'memory' || outOfMemory(record) !== undefined) return undefined
  const peak = record.usage.memoryPeakBytes.value
  return {
    about: 'short-of-memory',
    figures: peak === null ? {} : { ask_bytes: roundMemory(requestMargins.memory * peak) },
  }
}

function idleTail(findings: Findings): Advice | undefined {
  const { ends, record } = findings
  const seconds = ends.idleTailSeconds.value
  if (mayHaveWorked(findings) || seconds === null || !isLong(seconds, record)) return undefined
  return { about: 'idle-tail', figures: { seconds } }
}

function serial({ verdict, record }: Findings): Advice | undefined {
  if (verdict.kind !== 'one-core' || wantedMoreCpu(cpuWaitOf(record))) return undefined
  const { cpus } = record.requirements
  const askCores = fewerCores(record)
  // One that was parallel for a moment needs more than one, however serial it is on the whole: `tooManyCores` says so.
  if (askCores !== null && askCores > 1) return undefined
  const figures = cpus !== null && askCores === 1 ? { asked_cores: cpus, ask_cores: 1 } : {}
  return { about: 'serial', figures }
}

function tooManyCores({ verdict, record, efficiency }: Findings): Advice | undefined {
  const { share, of, basis } = efficiency.cores
  if (basis !== 'request' || of === null) return undefined
  if (share.value === null || share.value >= advicePolicy.lowCoreShare) return undefined
  const askCores = fewerCores(record)
  if (askCores === null || (verdict.kind === 'one-core' && askCores === 1)) return undefined
  return { about: 'too-many-cores', figures: { asked_cores: of, ask_cores: askCores } }
}

/** What `reports recommend` would say of its cores after this attempt alone. */
const sizedCpus = (record: JobRecord) =>
  sizeRequest(record.requirements, [sizedRecord(record)]).cpus

/** As many cores as `reports recommend` would ask for after this attempt; null unless that is less than the request. */
function fewerCores(record: JobRecord): number | null {
  const { requested, recommended } = sizedCpus(record)
  return requested !== null && recommended !== null && recommended < requested ? recommended : null
}

/** Somebody else could have used them: the dearest thing to hold in vain. */
function unusedGpus({ record }: Findings): Advice | undefined {
  const cards = gpuFigure(record.usage, 'gpuCards')
  const unused = gpuFigure(record.usage, 'gpuCardsUntouched')
  if (!cards || !unused) return undefined
  return { about: 'unused-gpus', figures: { asked_gpus: cards, ask_gpus: cards - unused } }
}

function gpuFeeding({ verdict }: Findings): Advice | undefined {
  return verdict.kind === 'gpu-data-loading' ? { about: 'gpu-feeding', figures: {} } : undefined
}

function smallKernels({ verdict }: Findings): Advice | undefined {
  return verdict.kind === 'gpu-launches' ? { about: 'small-kernels', figures: {} } : undefined
}

function sharedGpus({ verdict }: Findings): Advice | undefined {
  return verdict.kind === 'gpu-shared' ? { about: 'shared-gpus', figures: {} } : undefined
}

function storage({ verdict }: Findings): Advice | undefined {
  return verdict.kind === 'io' ? { about: 'storage', figures: {} } : undefined
}

function crowded({ verdict }: Findings): Advice | undefined {
  return verdict.kind === 'cpu-contention' ? { about: 'crowded', figures: {} } : undefined
}

function startUp(findings: Findings): Advice | undefined {
  const { ends, record } = findings
  const seconds = ends.startUpSeconds.value
  if (mayHaveWorked(findings) || seconds === null || !isLong(seconds, record)) return undefined
  return { about: 'start-up', figures: { seconds } }
}

function waiting(findings: Findings): Advice | undefined {
  const { verdict, record } = findings
  if (verdict.kind !== 'waiting' || mayHaveDoneMore(findings)) return undefined
  // What was not seen of it may have computed.
  if (mayHaveUsedMoreCpu(record)) return undefined
  return { about: 'waiting', figures: {} }
}

/** Whoever holds jobs to their requests would end it, or give its memory to others. */
function tooLittleMemory({ record, efficiency }: Findings): Advice | undefined {
  // It is told what to ask for already, and that is more.
  if (outOfMemory(record) !== undefined) return undefined
  const { share, used, of, basis } = efficiency.memory
  if (basis !== 'request' || used === null || of === null || (share.value ?? 0) <= 1)
    return undefined
  const figures = { asked_bytes: of, ask_bytes: roundMemory(requestMargins.memory * used) }
  return { about: 'too-little-memory', figures }
}

function tooLittleTime({ record, efficiency }: Findings): Advice | undefined {
  // It is told what to ask for already, and that is more.
  if (askAfterTimeout(record) !== null) return undefined
  const { share, used, of } = efficiency.time
  if (used === null || of === null || (share.value ?? 0) <= 1) return undefined
  const figures = { asked_seconds: of, ask_seconds: roundRuntime(requestMargins.runtime * used) }
  return { about: 'too-little-time', figures }
}

function tooMuchMemory({ record, efficiency, trend }: Findings): Advice | undefined {
  const { share, used, of, basis, isLowerBound: isBound } = efficiency.memory
  // Nobody lowers a request by what a failed or leaking job happened to reach, nor by what may have been more.
  if (basis !== 'request' || record.status !== 'success' || trend.kind === 'leak' || isBound)
    return undefined
  if (used === null || of === null || share.value === null) return undefined
  if (share.value > advicePolicy.lowMemoryShare) return undefined
  const figures = { asked_bytes: of, ask_bytes: roundMemory(requestMargins.memory * used) }
  return { about: 'too-much-memory', figures }
}

function tooMuchTime({ record, efficiency }: Findings): Advice | undefined {
  const { share, used, of } = efficiency.time
  if (record.status !== 'success' || used === null || of === null) return undefined
  if (share.value === null || share.value >= advicePolicy.lowTimeShare) return undefined
  const ask = roundRuntime(requestMargins.runtime * used)
  return ask < of
    ? { about: 'too-much-time', figures: { asked_seconds: of, ask_seconds: ask } }
    : undefined
}

function moreCores({ verdict, record }: Findings): Advice | undefined {
  const { cpus } = record.requirements
  if (verdict.kind !== 'cpu') return undefined
  const { cores } = record.machine
  const ceiling = cpuCeiling(record)
  if (ceiling?.basis === 'limit' && ceiling.cores < cores) {
    // One that its limit never stopped wanted no more.
    if (throttledPercent(record) === 0) return undefined
    const figures = { container_cores: ceiling.cores, machine_cores: cores }
    return { about: 'more-cores', figures }
  }
  if (cpus === null || cpus >= cores) return undefined
  const { recommended: needed } = sizedCpus(record)
  if (needed !== null && needed > cpus)
    return { about: 'too-few-cores', figures: { asked_cores: cpus, ask_cores: needed } }
  return { about: 'more-cores', figures: { machine_cores: cores } }
}

function noSamples({ hasSamples, record }: Findings): Advice | undefined {
  if (hasSamples || isOpen(record.status)) return undefined
  const { collected, intervalSeconds } = record.samples
  // One that was over before a second look would have no series either way.
  if (intervalSeconds !== null && collected < 2) return undefined
  return { about: 'no-samples', figures: { samples: collected } }
}

/** It was kept off the CPU, or what its GPUs did meanwhile is not known: it is not idle because its cores are. */
const mayHaveDoneMore = (findings: Findings): boolean =>
  isStarved(findings) || gpuUnknown(findings.record) !== undefined

/** Its cores rest while a kernel runs, and nothing tells when in its time its GPUs worked. */
const mayHaveWorked = (findings: Findings): boolean =>
  mayHaveDoneMore(findings) || gpuWorked(findings.verdict.kind, findings.efficiency.gpu.used)

/** Whoever is kept off the CPU seems idle; not so who kept all the cores busy that it asked for, and waited for more. */
const isStarved = ({ record, verdict }: Findings): boolean =>
  verdict.kind !== 'cpu' && cpuShortage(cpuWaitOf(record)) !== undefined

const isLong = (seconds: number, { durationSeconds }: JobRecord): boolean =>
  durationSeconds !== null && seconds >= advicePolicy.longEndShare * durationSeconds
