import { count, formatCount } from '../../model/count.ts'
import type { ImportSummary, Refusals } from '../../model/import-summary.ts'
import { printable } from '../text/printable.ts'

export function importSummaryText(summary: ImportSummary): string {
  const { added, known, unused, refused } = summary
  const parts = [
    `${formatCount(added)} added`,
    `${formatCount(known)} already there`,
    ...(unused > 0 ? [`${formatCount(unused)} of kinds that are not kept`] : []),
    `${formatCount(refused)} refused`,
  ]
  const lines = [
    ...(summary.isStopped
      ? ['Ended before all was read. What is counted here is kept; the same command goes on.']
      : []),
    `${count(summary.files, 'file')} into ${printable(summary.database)}`,
    `${count(summary.records, 'record')}: ${parts.join(', ')}`,
    ...summary.refusals.flatMap(refusalLines),
    ...summary.problems.map((problem) => `Not read to its end: ${printable(problem)}`),
  ]
  return `${lines.join('\n')}\n`
}

function refusalLines({ fault, count: times, places }: Refusals): string[] {
  const shown = places.map(
    ({ file, line, why }) =>
      `    ${printable(file)}:${line}${why === fault ? '' : `: ${printable(why.slice(fault.length + 2))}`}`,
  )
  const more = times - places.length
  return [
    `  refused ${formatCount(times)}: ${printable(fault)}`,
    ...shown,
    ...(more > 0 ? [`    and ${formatCount(more)} more`] : []),
  ]
}

export const importSummaryJson = (summary: ImportSummary): object => ({
  database: summary.database,
  files: summary.files,
  records: summary.records,
  accepted: summary.records - summary.refused,
  added: summary.added,
  already_there: summary.known,
  unused: summary.unused,
  refused: summary.refused,
  refusals: summary.refusals,
  unreadable: summary.problems,
  stopped: summary.isStopped,
})
