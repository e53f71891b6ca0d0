import type { UtilizationReport } from '../../analysis/workflow/utilization.ts'
import { count } from '../../model/count.ts'
import type { Requirements } from '../../model/job.ts'
import { formatCount, notMeasured } from '../units/figures.ts'
import type { Tile } from './report-content.ts'

const label = 'Over request'

/**
 * How often more was used than was asked for. Zero is good news only where something was asked for and all of its use was
 * seen.
 */
export function overRequestTile(
  requests: readonly Requirements[],
  { checks, violations, unmeasuredCount }: UtilizationReport,
): Tile {
  const without = requests.filter((one) => !asksForAnything(one)).length
  const isOne = requests.length === 1
  const plain = (figure: string, note: string): Tile => ({ label, figure, note, mood: 'plain' })
  if (without === requests.length)
    return plain(
      'no request',
      isOne ? 'the job did not ask for any resources' : 'no job asked for any resources',
    )
  if (checks.length === 0)
    return plain(
      notMeasured,
      isOne ? 'the job has not ended yet' : 'no job with a request has ended yet',
    )
  if (unmeasuredCount === checks.length)
    return plain(
      'not measured',
      isOne
        ? 'how much it used of what it requested was not measured'
        : 'how much the jobs used of what they requested was not measured',
    )
  const boundedCount = checks.filter((one) => one.isLowerBound && !one.isViolation).length
  const unsureCount = unmeasuredCount + boundedCount
  const others = without > 0 ? `; ${count(without, 'job')} asked for nothing` : ''
  const figure = formatCount(violations.length)
  if (violations.length > 0) {
    const found = violations.length === 1 ? 'request was exceeded' : 'requests were exceeded'
    const were = unsureCount === 1 ? 'was' : 'were'
    const unsure =
      unsureCount > 0 ? `; whether ${count(unsureCount, 'other')} ${were} is not known` : ''
    return { label, figure, note: `${found}${unsure}${others}`, mood: 'bad' }
  }
  const where =
    boundedCount > 0
      ? ', as far as it was seen'
      : unmeasuredCount > 0
        ? ', where it was measured'
        : ''
  return {
    label,
    figure,
    note: `nothing used more than it asked for${where}${others}`,
    mood: unsureCount > 0 ? 'plain' : 'good',
  }
}

const asksForAnything = (requirements: Requirements): boolean =>
  Object.values(requirements).some((amount) => amount !== null && amount > 0)
