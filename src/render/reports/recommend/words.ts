import { marginPercent, requestMargins, usualPercent } from '../../../analysis/policy.ts'
import type { KeptBecause, SizingAdvice } from '../../../analysis/sizing/sizing-advice.ts'
import {
  formatHours,
  notMeasured,
  tableBytes,
  tableCores,
  tableOver,
  tableSeconds,
} from '../../units/figures.ts'
import { count } from '../../../model/count.ts'

const amounts = { bytes: tableBytes, seconds: tableSeconds, cores: tableCores }

export const amountWords = (unit: SizingAdvice['unit'], value: number | null): string =>
  value === null ? notMeasured : amounts[unit](value)

/** `+62.5%`, `-25.0%`, `keep`, `new` where nothing was asked for, `–` where nothing is known. */
export function changeWords({ requested, recommended }: SizingAdvice): string {
  if (recommended === null) return notMeasured
  if (requested === null) return 'new'
  if (requested === recommended) return 'keep'
  return tableOver(((recommended - requested) / requested) * 100)
}

/** `peak 10.50 GB + 15%` */
export function reasonWords({ reason, kept, requested, attempts }: SizingAdvice): string {
  const not = requested === null ? 'not set' : 'not lowered'
  const because = kept === null ? '' : `; ${not}: ${keptWords[kept]}`
  switch (reason.kind) {
    case 'peak':
      return `${reason.isLowerBound ? 'at least' : 'peak'} ${tableBytes(reason.bytes)} ${plus.memory}${because}`
    case 'out of memory':
      return `ran out of memory at ${tableBytes(reason.bytes)}, ${plus.afterOutOfMemory}${because}`
    case 'percentile':
      return attempts === 1
        ? `it took ${tableSeconds(reason.seconds)}, ${plus.runtime}${because}`
        : `${usualPercent}% took at most ${tableSeconds(reason.seconds)}, ${plus.runtime}${because}`
    case 'longest':
      return `the longest took ${tableSeconds(reason.seconds)}${because}`
    case 'timeout':
      return `stopped by its time limit after ${tableSeconds(reason.seconds)}, ${plus.afterTimeout}${because}`
    case 'parallel':
      // By `cpuPercentP95`.
      return reason.isLowerBound
        ? `at least ${tableCores(reason.cores)} busy${because}`
        : `at most ${tableCores(reason.cores)} busy 95% of the time${because}`
    case 'unmeasured':
      return 'not measured in any attempt'
    case 'not run':
      return 'no attempt on record'
  }
}

/** `+ 15%` */
const plus = {
  memory: `+ ${marginPercent(requestMargins.memory)}%`,
  runtime: `+ ${marginPercent(requestMargins.runtime)}%`,
  afterTimeout: `+ ${marginPercent(requestMargins.afterTimeout)}%`,
  afterOutOfMemory: `+ ${marginPercent(requestMargins.afterOutOfMemory)}%`,
} as const

const keptWords: Readonly<Record<KeptBecause, string>> = {
  'no success measured': 'no successful attempt was measured',
  'jobs without success': 'some jobs have no successful, measured attempt',
  'only a lower bound': 'only a lower bound is known',
  'small machines': 'the machine has fewer cores than were asked for',
  'short of CPU': 'it had to wait for cores, or may have had to',
}

/** `high (12 attempts, 8.10 GB to 10.50 GB)` */
export function confidenceWords(advice: SizingAdvice): string {
  const { confidence, attempts, least, most, unit, restsOnLowerBound } = advice
  if (confidence === 'none') return 'none'
  if (restsOnLowerBound) return `${confidence} (only a lower bound is known)`
  if (attempts === 0) return confidence
  const of = count(attempts, 'attempt')
  if (least === null || most === null || attempts < 2) return `${confidence} (${of})`
  return `${confidence} (${of}, ${amounts[unit](least)} to ${amounts[unit](most)})`
}

/** `saves 12.30 core-hours and 3.00 GB-hours`, `saves 12.30 core-hours and adds 3.00 GB-hours`. */
export function savingWords(coreHours: number, gigabyteHours: number): string {
  const verb = (hours: number): string => (hours < 0 ? 'adds' : 'saves')
  const amount = (hours: number): string => formatHours(Math.abs(hours))
  const second = verb(gigabyteHours) === verb(coreHours) ? '' : `${verb(gigabyteHours)} `
  return `${verb(coreHours)} ${amount(coreHours)} core-hours and ${second}${amount(gigabyteHours)} GB-hours`
}
