import type { Evidence } from '../../../analysis/job/probable-cause.ts'
import type { UtilizationCheck } from '../../../analysis/workflow/utilization.ts'
import { fixedKeeping, tableBytes } from '../../units/figures.ts'
import { lowerBoundWords } from '../../units/usage-figure.ts'

/** `2h 45m 0s`, `7m 30s`, `45s`; fractions only of what is less than a minute. */
export function reportSeconds(seconds: number): string {
  if (seconds < 59.95) {
    const text = fixedKeeping(seconds, 1)
    return `${text.replace(/\.0$/, '')}s`
  }
  const whole = Math.round(seconds)
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return h > 0 ? `${h}h ${m}m ${s}s` : `${m}m ${s}s`
}

/** `84.1%`; 100 % is one core. */
export const reportPercent = (percent: number): string => `${fixedKeeping(percent, 1)}%`

/** `8 cores`, `1 core`, `0.5 cores`. */
export function reportCores(cores: number): string {
  const text = fixedKeeping(cores, 2).replace(/\.?0+$/, '')
  return `${text} ${text === '1' ? 'core' : 'cores'}`
}

/** `+31.3%`, `-47.5%`. */
export function reportOver(percent: number): string {
  return `${percent < 0 ? '-' : '+'}${Math.abs(percent).toFixed(1)}%`
}

/** The words of a check, the same in every format. */
export interface CheckWords {
  readonly specified: string
  readonly peak_used: string
  readonly over_utilization: string
}

export function checkWords(check: UtilizationCheck): CheckWords {
  const { unit, specified, used, overPercent } = check
  const bound = check.isLowerBound ? lowerBoundWords : ''
  return {
    specified: specifiedWords[unit](specified),
    peak_used: used === null ? 'not measured' : `${bound}${usedWords[unit](used)}`,
    over_utilization: overPercent === null ? '–' : reportOver(overPercent),
  }
}

const specifiedWords = {
  bytes: tableBytes,
  percent: (percent: number) => `${percent.toFixed(0)}% (${reportCores(percent / 100)})`,
  seconds: reportSeconds,
}

const usedWords = {
  bytes: tableBytes,
  percent: reportPercent,
  seconds: reportSeconds,
}

/** `peak 10.50 GB of 8.00 GB requested; ended by SIGKILL` */
export function evidenceWords(evidence: readonly Evidence[]): string {
  return evidence.map(oneEvidence).join('; ')
}

function oneEvidence(evidence: Evidence): string {
  switch (evidence.kind) {
    case 'reason':
      return evidence.text
    case 'memory':
      return `memory peak ${tableBytes(evidence.peakBytes)} of ${tableBytes(evidence.requestedBytes)} requested`
    case 'time':
      return `ran ${reportSeconds(evidence.seconds)} of ${reportSeconds(evidence.requestedSeconds)} requested`
    case 'signal':
      return `ended by ${evidence.signal}`
    case 'exit code':
      return `exit code ${evidence.exitCode}`
  }
}
