import { count } from '../../model/count.ts'
import type { PastTable } from '../../model/past-round.ts'
import type { NotJudged, Violation } from '../../model/violation.ts'
import { printable } from '../text/printable.ts'
import { utcTime } from '../units/iso-time.ts'
import { shortTime, type Zone } from '../units/zoned-time.ts'
import { hogsJson, hogsText } from './hogs.ts'

/** By what rows a host was judged. */
export interface JudgedPast {
  readonly host: string
  /** Null: only past jobs were judged. */
  readonly table: PastTable | null
  readonly rounds: number
  readonly from: number
  readonly to: number
}

const rowWords: Readonly<Record<PastTable, string>> = {
  'single rounds': 'single rounds',
  'five minutes': 'roll-ups of five minutes (memory is a mean, counts are peaks)',
  hours: 'roll-ups of an hour (memory is a mean, counts are peaks)',
}

/** What policies would have found. */
export function triedText(
  hosts: readonly JudgedPast[],
  violations: readonly Violation[],
  notJudged: readonly NotJudged[],
  zone: Zone,
): string {
  if (hosts.length === 0) return 'No host was looked at in this time.\n'
  const lines = hosts.map(({ host, table, rounds, from, to }) =>
    table === null
      ? `${printable(host)}: judged by its jobs until ${shortTime(to, zone)}\n`
      : `${printable(host)}: judged by ${count(rounds, 'row')} of ${rowWords[table]}, ${shortTime(from, zone)} – ${shortTime(to, zone)}\n`,
  )
  return `${lines.join('')}\n${hogsText(violations, notJudged, { zone, all: true })}`
}

export function triedJson(
  hosts: readonly JudgedPast[],
  violations: readonly Violation[],
  notJudged: readonly NotJudged[],
): object {
  return {
    hosts: hosts.map(({ host, table, rounds, from, to }) => ({
      host,
      rows: table,
      row_count: rounds,
      from: utcTime(from),
      to: utcTime(to),
    })),
    ...hogsJson(violations, notJudged),
  }
}
