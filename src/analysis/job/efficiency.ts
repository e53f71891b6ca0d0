import { isLowerBound, unmeasured, type Measured } from '../../model/measured.ts'
import { gpuFigure, gpuMeasured, gpuReason } from '../../model/gpu-usage.ts'
import { isDurationBound } from '../../model/outcome.ts'
import type { JobRecord } from '../../model/record.ts'
import { cpuCeiling } from '../limits/cpu-ceiling.ts'
import { memoryCeiling } from '../limits/memory-ceiling.ts'

/** How much of what a job held it used, each as a share: 1 is all of it, more is over. */
export interface Efficiency {
  readonly cores: Part
  readonly memory: Part
  readonly gpu: Part
  readonly time: Part
}

export interface Part {
  readonly share: Measured
  readonly used: number | null
  /** Whether it may have used more. */
  readonly isLowerBound: boolean
  /** What was there to use: what it asked for, the limit it was held to, or the machine where there is neither. */
  readonly of: number | null
  readonly basis: 'request' | 'limit' | 'machine' | null
}

export function efficiency(record: JobRecord): Efficiency {
  const { requirements: asked, usage, durationSeconds } = record
  const cpu = usage.cpuTotalSeconds
  const memory = usage.memoryPeakBytes
  const cores = cpuCeiling(record)
  const ceiling = memoryCeiling(record)
  const noEnd = 'its end was not seen'
  return {
    cores: part(
      cpu.value === null || !durationSeconds ? null : cpu.value / durationSeconds,
      cpu.value === null ? cpu.why : noEnd,
      cores === null ? null : { of: cores.cores, basis: cores.basis },
      isLowerBound(cpu),
    ),
    memory: part(
      memory.value,
      memory.value === null ? memory.why : '',
      ceiling === null ? null : { of: ceiling.bytes, basis: ceiling.basis },
      isLowerBound(memory),
    ),
    gpu: gpuPart(record),
    time: part(
      durationSeconds,
      noEnd,
      askedOr(asked.runtimeSeconds, null),
      isDurationBound(record.status),
    ),
  }
}

/** Cards that worked, on average, of those that it asked for or was given. */
function gpuPart({ requirements: asked, usage, durationSeconds }: JobRecord): Part {
  const busy = gpuMeasured(usage, 'gpuBusySeconds')
  const cards = gpuFigure(usage, 'gpuCards')
  const given = asked.gpus || cards
  if (!given)
    return part(null, cards === 0 ? 'it asked for no GPU and used none' : gpuReason(usage), null)
  const used =
    cards === 0
      ? 0
      : busy === undefined || busy.value === null || !durationSeconds
        ? null
        : busy.value / durationSeconds
  const isBound = cards !== 0 && busy !== undefined && isLowerBound(busy)
  return part(used, gpuReason(usage), askedOr(asked.gpus, cards), isBound)
}

/** What was there to use. */
type Whole = Pick<Part, 'basis'> & { readonly of: number }

/** A request of 0 is no request: nobody runs on nothing. */
function askedOr(requested: number | null, ofMachine: number | null): Whole | null {
  if (requested) return { of: requested, basis: 'request' }
  return ofMachine ? { of: ofMachine, basis: 'machine' } : null
}

function part(used: number | null, whyUnused: string, whole: Whole | null, isBound = false): Part {
  const { of, basis } = whole ?? { of: null, basis: null }
  const facts = { used, isLowerBound: isBound && used !== null, of, basis } as const
  if (used === null) return { share: unmeasured(whyUnused), ...facts }
  if (of === null) return { share: unmeasured('it did not ask for any'), ...facts }
  return { share: { value: used / of, basis: `share of the ${basis}` }, ...facts }
}
