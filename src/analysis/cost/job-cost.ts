import { isLowerBound, type Measured } from '../../model/measured.ts'
import { cardsOf } from '../../model/gpu-usage.ts'
import { gpuHourPrice, type Prices } from '../../model/prices.ts'
import type { AttemptRecord } from '../../model/record.ts'
import { hourSeconds } from '../../model/time-parts.ts'
import { furtherFigures, type Usage } from '../../model/usage.ts'
import { jobEnergy, kilowattHours, type JobEnergy } from './job-energy.ts'

export type PricedThing = 'cpu' | 'memory' | 'gpu' | 'energy' | 'storage'

/** So much of one thing that has a price, and what it costs; null where the amount is not known. */
export interface CostPart {
  readonly thing: PricedThing
  readonly unit: 'core-hours' | 'GB-hours' | 'GPU-hours' | 'kWh' | 'GB written'
  readonly amount: number | null
  readonly cost: number | null
  /** Why it could not be priced. */
  readonly why: string | null
  readonly isLowerBound: boolean
}

/** What a job asked for, or what it used, in money. */
export interface CostSide {
  readonly parts: readonly CostPart[]
  /** Of all parts that could be priced; null where none could. */
  readonly total: number | null
  readonly isLowerBound: boolean
}

export interface JobCost {
  readonly requested: CostSide
  readonly used: CostSide
  readonly energy: JobEnergy
}

/** 1 GB is 1024³ bytes, as everywhere. */
const gigabyte = 2 ** 30

/** A request costs for as long as the job ran, whatever it did with it. */
export function jobCost(record: AttemptRecord, prices: Prices): JobCost {
  const energy = jobEnergy(record.usage, prices)
  return {
    requested: sideOf(requestedParts(record, prices)),
    used: sideOf(usedParts(record, prices, energy)),
    energy,
  }
}

/** What several jobs cost together. */
export function sumOfCosts(sides: readonly CostSide[]): CostSide {
  const known = sides.flatMap(({ total }) => (total === null ? [] : [total]))
  return {
    parts: [],
    total: known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
    isLowerBound: known.length < sides.length || sides.some((side) => side.isLowerBound),
  }
}

function requestedParts(record: AttemptRecord, prices: Prices): CostPart[] {
  const { cpus, memoryBytes, gpus } = record.requirements
  const hours = record.durationSeconds === null ? null : record.durationSeconds / hourSeconds
  const asked = (amount: number | null, what: string): Amount =>
    amount === null
      ? { amount: null, why: `it did not ask for ${what}` }
      : hours === null
        ? { amount: null, why: 'its duration is not known' }
        : { amount: amount * hours, why: null }
  return [
    part('cpu', prices.coreHour, asked(cpus, 'cores')),
    part(
      'memory',
      prices.memoryGbHour,
      asked(memoryBytes === null ? null : memoryBytes / gigabyte, 'memory'),
    ),
    // Most jobs want no card, and that is no gap in what is known.
    gpus === null ? null : gpuPart(prices, record.usage, asked(gpus, 'GPUs')),
  ].flatMap((each) => each ?? [])
}

function usedParts(record: AttemptRecord, prices: Prices, energy: JobEnergy): CostPart[] {
  const { usage, durationSeconds } = record
  const further = new Map(furtherFigures(usage))
  const gpu = further.get('gpuBusySeconds')
  const hours = durationSeconds === null ? NaN : durationSeconds / hourSeconds
  return [
    part('cpu', prices.coreHour, amountOf(usage.cpuTotalSeconds, 1 / hourSeconds)),
    part('memory', prices.memoryGbHour, amountOf(usage.memoryMeanBytes, hours / gigabyte)),
    gpu === undefined && !record.requirements.gpus
      ? null
      : gpuPart(
          prices,
          usage,
          gpu === undefined
            ? { amount: null, why: 'its use of GPUs was not measured' }
            : amountOf(gpu, 1 / hourSeconds),
        ),
    part('energy', prices.kwh, {
      amount: energy.joules === null ? null : kilowattHours(energy.joules),
      why: energy.joules === null ? energy.basis : null,
      isLowerBound: energy.isLowerBound,
    }),
    part('storage', prices.storageGbMonth, amountOf(usage.writeBytes, 1 / gigabyte)),
  ].flatMap((each) => each ?? [])
}

interface Amount {
  readonly amount: number | null
  readonly why: string | null
  readonly isLowerBound?: boolean
}

const units = {
  cpu: 'core-hours',
  memory: 'GB-hours',
  gpu: 'GPU-hours',
  energy: 'kWh',
  storage: 'GB written',
} as const

/** null where it has no price. */
function part(thing: PricedThing, price: number | null, found: Amount): CostPart | null {
  if (price === null) return null
  const { amount, why, isLowerBound: isLeast = false } = found
  const cost = amount === null ? null : amount * price
  return { thing, unit: units[thing], amount, cost, why, isLowerBound: isLeast }
}

function gpuPart(prices: Prices, usage: Usage, found: Amount): CostPart | null {
  const price = gpuHourPrice(prices, modelOf(usage))
  if (price !== null) return part('gpu', price, found)
  if (Object.keys(prices.gpuHour).length === 0) return null
  const why = 'gpu_hour has neither a price for the model of its GPUs nor a "default"'
  return part('gpu', 0, { amount: null, why })
}

/** The model of its cards; null where it is not known, or they are of several. */
function modelOf(usage: Usage): string | null {
  const [model = null, ...others] = new Set(cardsOf(usage).map(({ name }) => name))
  return others.length === 0 ? model : null
}

function amountOf(figure: Measured, factor: number): Amount {
  if (figure.value === null) return { amount: null, why: figure.why }
  const amount = figure.value * factor
  return Number.isFinite(amount)
    ? { amount, why: null, isLowerBound: isLowerBound(figure) }
    : { amount: null, why: 'its duration is not known' }
}

function sideOf(parts: readonly CostPart[]): CostSide {
  const known = parts.flatMap(({ cost }) => (cost === null ? [] : [cost]))
  return {
    parts,
    total: known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
    isLowerBound: known.length < parts.length || parts.some((each) => each.isLowerBound),
  }
}
