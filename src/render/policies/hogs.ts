import { shortDuration } from '../../analysis/policies/finding-words.ts'
import { count } from '../../model/count.ts'
import { refOf } from '../../model/job-ref.ts'
import { violationState, type NotJudged, type Violation } from '../../model/violation.ts'
import { csv } from '../text/csv.ts'
import { printable } from '../text/printable.ts'
import { table, type Column } from '../text/table.ts'
import { utcTime } from '../units/iso-time.ts'
import { shortTime, type Zone } from '../units/zoned-time.ts'

export interface HogsView {
  readonly zone: Zone
  /** Whether what harmed nobody is listed too. */
  readonly all: boolean
}

const left = (header: string): Column => ({ header, align: 'left' })
const columns = ['Policy', 'User', 'Job', 'Host', 'State', 'First seen', 'Last seen', 'Held'].map(
  left,
)

/** Who broke which policy, and what was found. */
export function hogsText(
  violations: readonly Violation[],
  notJudged: readonly NotJudged[],
  { zone, all }: HogsView,
): string {
  const suppressed = violations.filter((one) => violationState(one) === 'suppressed')
  const real = violations.filter((one) => violationState(one) !== 'suppressed')
  const parts = [
    real.length === 0 ? 'Nobody broke a policy in this time.\n' : listed(real, zone),
    suppressedText(suppressed, zone, all),
    notJudgedText(notJudged),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

function listed(violations: readonly Violation[], zone: Zone): string {
  const rows = violations.map((one) => cells(one, zone).map(printable))
  const found = violations.map(
    (one) => `${printable(`${one.policy}, ${who(one)}`)}: ${printable(one.text)}\n`,
  )
  const open = violations.filter((one) => violationState(one) === 'open').length
  return `${table(columns, rows)}\n\n${found.join('')}\n${count(violations.length, 'violation')}, ${open} of them not over.\n`
}

function suppressedText(suppressed: readonly Violation[], zone: Zone, all: boolean): string {
  if (suppressed.length === 0) return ''
  const isOne = suppressed.length === 1
  const more = `${count(suppressed.length, 'finding')} ${isOne ? 'was' : 'were'} not reported: the rest of the node was mostly idle`
  if (!all) return `${more} (--all lists ${isOne ? 'it' : 'them'}).\n`
  const lines = suppressed.map(
    (one) =>
      `${printable(`${one.policy}, ${who(one)}`)} on ${printable(one.subject.host)}, ${shortTime(one.firstSeen, zone)} – ${shortTime(one.lastSeen, zone)}, not reported: ${printable(one.suppressedBecause ?? '')}\n`,
  )
  return `${more}:\n${lines.join('')}`
}

function notJudgedText(notJudged: readonly NotJudged[]): string {
  const never = notJudged.filter(({ policy }) => policy === null)
  const [first] = never
  const byWhy = Map.groupBy(
    notJudged.filter(({ policy }) => policy !== null),
    ({ host, why }) => `${host}\0${why}`,
  )
  const lines = [...byWhy.values()].map((those) => {
    const names = those.map(({ policy }) => policy).join(', ')
    return `Not judged on ${printable(those[0]?.host ?? '')}: ${names} (${those[0]?.why}).\n`
  })
  if (first === undefined) return lines.join('')
  const names = never.length === 1 ? printable(first.host) : count(never.length, 'host')
  return `${lines.join('')}Not judged at all: ${names} (${first.why}).\n`
}

const who = ({ subject: { user, job } }: Violation): string =>
  job === null ? user : `${job.command} of ${user}`

function cells(violation: Violation, zone: Zone): string[] {
  const { policy, subject, firstSeen, lastSeen, heldSeconds } = violation
  const { user, host, job } = subject
  return [
    policy,
    user,
    job === null ? '–' : refOf(job),
    host,
    violationState(violation),
    shortTime(firstSeen, zone),
    shortTime(lastSeen, zone),
    shortDuration(heldSeconds),
  ]
}

type Field = readonly [name: string, of: (violation: Violation) => string | number | null]

/** A violation as programs read it, in this order. */
const fields: readonly Field[] = [
  ['policy', ({ policy }) => policy],
  ['severity', ({ severity }) => severity],
  ['state', (violation) => violationState(violation)],
  ['host', ({ subject }) => subject.host],
  ['user', ({ subject }) => subject.user],
  ['account', ({ subject }) => subject.account],
  ['job_kind', ({ subject }) => subject.job?.kind ?? null],
  ['job_id', ({ subject }) => subject.job?.id ?? null],
  ['command', ({ subject }) => subject.job?.command ?? null],
  ['first_seen', ({ firstSeen }) => utcTime(firstSeen)],
  ['last_seen', ({ lastSeen }) => utcTime(lastSeen)],
  ['held_seconds', ({ heldSeconds }) => heldSeconds],
  ['reported_at', ({ reportedAt }) => utcTime(reportedAt)],
  ['resolved_at', ({ resolvedAt }) => utcTime(resolvedAt)],
  ['resolved_because', ({ resolvedBecause }) => resolvedBecause],
  ['found', ({ text }) => text],
  ['suppressed_because', ({ suppressedBecause }) => suppressedBecause],
]

const violationJson = (violation: Violation): object =>
  Object.fromEntries(fields.map(([name, of]) => [name, of(violation)]))

export function hogsJson(
  violations: readonly Violation[],
  notJudged: readonly NotJudged[],
): object {
  const of = (isSuppressed: boolean): object[] =>
    violations
      .filter((one) => (violationState(one) === 'suppressed') === isSuppressed)
      .map(violationJson)
  return { violations: of(false), suppressed: of(true), not_judged: notJudged }
}

export const hogsCsv = (violations: readonly Violation[]): string =>
  csv([
    fields.map(([name]) => name),
    ...violations.map((violation) => fields.map(([, of]) => of(violation))),
  ])
