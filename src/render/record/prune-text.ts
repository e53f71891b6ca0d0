import { formatBytes, formatCount, notMeasured } from '../units/figures.ts'
import { count } from '../../model/count.ts'
import { printable } from '../text/printable.ts'
import type { PruneJson } from './prune-json.ts'
import type { Style } from '../text/style.ts'
import { table } from '../text/table.ts'
import { shortTime, type Zone } from '../units/zoned-time.ts'

const columns = [
  { header: 'ID', align: 'right' },
  { header: 'Name', align: 'left' },
  { header: 'Last Active', align: 'left' },
  { header: 'Jobs', align: 'right' },
  { header: 'Attempts', align: 'right' },
  { header: 'Samples', align: 'right' },
  { header: 'Size', align: 'right' },
] as const

export function pruneText(json: PruneJson, style: Style, zone: Zone): string {
  const { workflows, dry_run: isDryRun } = json
  const own = (figure: 'attempts' | 'samples'): number =>
    workflows.reduce((left, workflow) => left - workflow[figure], json[figure])
  const verb = isDryRun ? 'Would delete' : 'Deleted'
  const first = `${verb} ${own('attempts')} jobs and ${own('samples')} samples`
  if (workflows.length === 0) return `${first}${size(json)}.\n`
  const [header = '', ...rows] = table(
    columns,
    workflows.map((workflow) => cells(workflow, zone)),
  ).split('\n')
  const lines = [
    `${first}, and ${count(workflows.length, 'workflow')}${size(json)}:`,
    '',
    style.bold(header),
    ...rows,
  ]
  if (json.kept_directories.length > 0)
    lines.push(
      '',
      `Their output directories stay: ${json.kept_directories.map(printable).join(', ')}`,
    )
  return `${lines.join('\n')}\n`
}

/** How much it is, as far as that can be said beforehand. */
const size = ({ dry_run: isDryRun, bytes }: PruneJson): string =>
  isDryRun ? `, about ${formatBytes(bytes)}` : ''

const cells = (workflow: PruneJson['workflows'][number], zone: Zone): string[] => [
  String(workflow.workflow_id),
  printable(workflow.name),
  workflow.last_active === null
    ? notMeasured
    : shortTime(Date.parse(workflow.last_active) / 1000, zone),
  formatCount(workflow.jobs),
  formatCount(workflow.attempts),
  formatCount(workflow.samples),
  formatBytes(workflow.bytes),
]
