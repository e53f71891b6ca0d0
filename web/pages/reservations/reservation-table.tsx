import { element, type Child } from '../../../src/browser/dom.ts'
import { shortened } from '../../../src/browser/report/table-parts.ts'
import { exactShare, notMeasured } from '../../../src/render/units/figures.ts'
import type { Reservations } from '../../../src/server/schemas/node.ts'
import { Drawn } from '../../parts/drawn.tsx'
import { hoursWords } from './hours-words.ts'

export type Use = Reservations['rows'][number]

const hour = 3600
const gib = 1024 ** 3

/** What was asked for and what of it was used: cores, memory and GPUs. */
export function ReservationTable({
  rows,
  by,
}: {
  readonly rows: readonly Use[]
  readonly by: Reservations['by']
}) {
  return <Drawn of={rows} make={() => [table(rows, by)]} />
}

function table(rows: readonly Use[], by: Reservations['by']): HTMLElement {
  const isJob = by === 'job'
  const hasCards = rows.some(({ reserved_gpu_seconds: seconds }) => seconds > 0)
  return shortened(
    `Asked for and used, by ${by}`,
    [
      [by.charAt(0).toUpperCase() + by.slice(1)],
      isJob ? ['User'] : ['Jobs', 'figure'],
      ['Core-hours unused', 'figure'],
      ['Cores used', 'figure'],
      ['Memory used', 'figure'],
      ...(hasCards ? [['GPUs used', 'figure'] as const] : []),
    ],
    rows.map((row) => [
      nameCell(row, by),
      isJob ? (row.user ?? notMeasured) : String(row.jobs),
      hoursWords(Math.max(0, row.reserved_core_seconds - row.used_core_seconds) / hour),
      share(row.cpu_share, `of ${hoursWords(row.reserved_core_seconds / hour)} h`),
      share(row.memory_share, `of ${hoursWords(row.reserved_byte_seconds / hour / gib)} GiB h`),
      ...(hasCards
        ? [share(row.gpu_share, `of ${hoursWords(row.reserved_gpu_seconds / hour)} h`)]
        : []),
    ]),
  )
}

function nameCell({ name, command }: Use, by: Reservations['by']): Child {
  if (name === null) return '(none)'
  if (by === 'host')
    return element('a', { href: `/nodes/${encodeURIComponent(name)}`, 'data-row': true }, name)
  if (by !== 'job') {
    const to = `/reservations?by=job&${by}=${encodeURIComponent(name)}`
    return element('a', { href: to, 'data-row': true }, name)
  }
  return element(
    'span',
    {},
    element(
      'a',
      { href: `/node-jobs/${encodeURIComponent(name)}`, 'data-row': true },
      command ?? name,
    ),
    element('small', { class: 'under' }, name),
  )
}

/** `17 %` with a bar, and of how much. */
function share(part: number | null, of: string): Child {
  if (part === null) return notMeasured
  return element(
    'span',
    {
      class: part > 1 ? 'share over' : 'share',
      style: `--part:${Math.min(100, 100 * Math.max(0, part))}%`,
    },
    `${exactShare(part)} `,
    element('small', {}, of),
  )
}
