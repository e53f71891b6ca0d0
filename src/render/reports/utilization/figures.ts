import { count } from '../../../model/count.ts'
import { killedForMemoryText } from '../../../model/outcome.ts'
import type { CauseEvidence } from '../../../analysis/job/probable-cause.ts'
import type { UtilizationCheck } from '../../../analysis/workflow/utilization.ts'
import {
  tableBytes,
  tableCores,
  tableOver,
  tablePercent,
  tableSeconds,
} from '../../units/figures.ts'
import { lowerBoundWords } from '../../units/usage-figure.ts'

/** The words of a check, the same in every format. */
export interface CheckWords {
  readonly specified: string
  readonly peak_used: string
  readonly over_utilization: string
}

export function checkWords(check: UtilizationCheck): CheckWords {
  const { unit, specified, used } = check
  const bound = check.isLowerBound ? lowerBoundWords : ''
  return {
    specified: specifiedWords[unit](specified),
    peak_used: used === null ? 'not measured' : `${bound}${usedWords[unit](used)}`,
    over_utilization: overWords(check),
  }
}

/** How much more a job needed that was held to its request, nobody knows. */
function overWords({ ended, endedAt, overPercent }: UtilizationCheck): string {
  if (endedAt === 'request') return ended === 'all' ? 'ended at limit' : 'killed at limit'
  return overPercent === null ? '–' : tableOver(overPercent)
}

const specifiedWords = {
  bytes: tableBytes,
  percent: (percent: number) => `${percent.toFixed(0)}% (${tableCores(percent / 100)})`,
  seconds: tableSeconds,
  cards: (cards: number) => count(cards, 'GPU'),
}

const usedWords = {
  bytes: tableBytes,
  percent: tablePercent,
  seconds: tableSeconds,
  cards: (cards: number) => count(cards, 'GPU'),
}

/** `peak 10.50 GB of 8.00 GB requested; ended by SIGKILL` */
export function evidenceWords(evidence: readonly CauseEvidence[]): string {
  return evidence.map(oneEvidence).join('; ')
}

function oneEvidence(evidence: CauseEvidence): string {
  switch (evidence.kind) {
    case 'reason':
      return evidence.text
    case 'memory':
      return `memory peak ${tableBytes(evidence.peakBytes)} of ${tableBytes(evidence.requestedBytes)} requested`
    case 'time':
      return `ran ${tableSeconds(evidence.seconds)} of ${tableSeconds(evidence.requestedSeconds)} requested`
    case 'killed for memory':
      return killedForMemoryText(evidence.processes)
    case 'signal':
      return `ended by ${evidence.signal}`
    case 'exit code':
      return `exit code ${evidence.exitCode}`
  }
}
