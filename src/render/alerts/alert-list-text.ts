import type { ListedAlert, Severity } from '../../model/alert.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { table } from '../text/table.ts'
import { shortTime, type Zone } from '../units/zoned-time.ts'

const columns = [
  { header: 'Since', align: 'left' },
  { header: 'Status', align: 'left' },
  { header: 'Severity', align: 'left' },
  { header: 'Rule', align: 'left' },
  { header: 'Of', align: 'left' },
  { header: 'Delivered', align: 'left' },
  { header: 'What', align: 'left' },
] as const

/** Alerts, in the order given. */
export function alertListText(
  alerts: readonly ListedAlert[],
  all: boolean,
  style: Style,
  zone: Zone,
): string {
  if (alerts.length === 0)
    return all
      ? 'No alert has fired.\n'
      : 'No alert fires now. See jobmeter alerts list --all for those that are over.\n'
  const rows = alerts.map((alert) => cells(alert, zone))
  const [header = '', ...lines] = table(columns, rows).split('\n')
  const painted = lines.map((line, index) => {
    const alert = alerts[index]
    return alert?.resolvedAt === null ? paint(alert.severity, style)(line) : style.dim(line)
  })
  return `${[style.bold(header), ...painted].join('\n')}\n`
}

const paint = (severity: Severity, style: Style): ((text: string) => string) =>
  ({ info: style.cyan, warning: style.yellow, critical: style.red })[severity]

function cells(alert: ListedAlert, zone: Zone): string[] {
  const { subject } = alert
  const of = [subject.job ?? subject.host, ...(subject.gpu === null ? [] : [`GPU ${subject.gpu}`])]
  return [
    shortTime(alert.firedAt, zone),
    statusWords(alert),
    alert.severity,
    printable(alert.rule),
    printable(of.join(' ')),
    deliveredWords(alert),
    printable(alert.text),
  ]
}

function statusWords({ resolvedAt, acknowledgedBy }: ListedAlert): string {
  if (resolvedAt !== null) return 'resolved'
  return acknowledgedBy === null ? 'firing' : `acknowledged by ${printable(acknowledgedBy)}`
}

/** `2 of 3`, or what keeps it: an error is what people look for here. */
function deliveredWords({ deliveries }: ListedAlert): string {
  if (deliveries.length === 0) return '–'
  const done = deliveries.filter(({ state }) => state === 'delivered').length
  const count = `${done} of ${deliveries.length}`
  const open = deliveries.find(
    ({ state, lastError }) => state !== 'delivered' && lastError !== null,
  )
  return open === undefined
    ? count
    : `${count} (${open.channel}: ${printable(open.lastError ?? '')})`
}
