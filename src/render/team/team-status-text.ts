import { count } from '../../model/count.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { table } from '../text/table.ts'
import { formatBytes, formatCount, formatSeconds } from '../units/figures.ts'
import { shortTime, type Zone } from '../units/zoned-time.ts'
import type { TeamStatusJson } from './team-status-json.ts'

const columns = [
  { header: 'Host', align: 'left' },
  { header: 'User', align: 'left' },
  { header: 'Role', align: 'left' },
  { header: 'Records', align: 'right' },
  { header: 'Samples', align: 'right' },
  { header: 'Last Heard', align: 'left' },
] as const

export function teamStatusText(json: TeamStatusJson, style: Style, zone: Zone): string {
  const lines = [`Team: ${printable(json.address)}`, `Ledger: ${printable(json.ledger)}`]
  lines.push(waitingLine(json))
  if (json.sender !== null)
    lines.push(`Sender: process ${json.sender.pid}, because ${json.sender.stays_for}`)
  lines.push(`Last success: ${timeText(json.last_success, zone)}`)
  if (json.last_error !== null)
    lines.push(`Last error: ${timeText(json.last_failure, zone)}: ${printable(json.last_error)}`)
  for (const { record, reason } of json.refused)
    lines.push(`Refused: ${printable(record)}: ${printable(reason)}`)
  const { team } = json
  if (team === null) return `${lines.join('\n')}\n`
  const { records, samples } = team.retention_months
  lines.push(
    `Team ledger: version ${team.version}, ${team.bytes === null ? 'size unknown' : formatBytes(team.bytes)} in ${count(team.months, 'month')}`,
    `Kept: records ${monthsText(records)}, samples ${monthsText(samples)}`,
  )
  for (const { host, path, refused_hosts: refused } of team.agents)
    if (refused.length > 0)
      lines.push(
        `Refused: ${printable(`${refused.join(', ')} from ${path} on ${host}`)}: another role sends these hosts; what is kept of them waits there`,
      )
  lines.push('')
  const [header = '', ...rows] = table(
    columns,
    team.sources.map((source) => [
      printable(source.host),
      printable(source.user),
      printable(source.role),
      formatCount(source.attempts),
      formatCount(source.samples),
      timeText(source.last_heard, zone),
    ]),
  ).split('\n')
  return `${[...lines, style.bold(header), ...rows].join('\n')}\n`
}

function waitingLine(json: TeamStatusJson): string {
  const { waiting_records: records, waiting_samples: samples, lag_seconds: lag } = json
  if (records === 0 && samples === 0) return 'Waiting: nothing'
  const since = lag === null ? '' : `, the oldest for ${formatSeconds(lag)}`
  return `Waiting: ${count(records, 'record')} and ${count(samples, 'sample')}${since}`
}

const timeText = (time: string | null, zone: Zone): string =>
  time === null ? 'never' : shortTime(Date.parse(time) / 1000, zone)

const monthsText = (months: number | null): string =>
  months === null ? 'for ever' : `for ${count(months, 'month')}`
