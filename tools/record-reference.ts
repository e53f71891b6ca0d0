/**
 * Writes the tables of docs/record.md from the lists that the program itself uses.
 * `node tools/record-reference.ts` updates the file; with `--check` it fails where the file is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attemptStatuses } from '../src/model/outcome.ts'
import { containerColumns } from '../src/meter/gauges/container/columns.ts'
import { containerFigures, containerRunFigures } from '../src/meter/gauges/container/figures.ts'
import type { Gauge } from '../src/meter/gauges/gauge.ts'
import { describeColumns, layOut } from '../src/meter/gauges/sample-layout.ts'
import { optionalGauges } from '../src/meter/gauges/optional/optional.ts'
import { shippedGauges } from '../src/meter/gauges/shipped.ts'
import { cardFigures, gpuFigures } from '../src/model/gpu-usage.ts'
import { usageName } from '../src/model/usage-names.ts'
import {
  cpuUnseenFigure,
  memoryLimitFigure,
  memoryLimitMetFigure,
  usageKeys,
} from '../src/model/usage.ts'
import { seriesColumns } from '../src/render/series/series-table.ts'
import {
  boundByMeanings,
  exitCodes,
  profileMeanings,
  recordMeanings,
  requirementMeanings,
  resourceUsageMeanings,
  samplesMeanings,
  statusMeanings,
  stragglerMeanings,
  verdictMeanings,
} from './record-meanings.ts'

const beginMark = '<!-- Below: written by tools/record-reference.ts. Do not edit by hand. -->'
const endMark = '<!-- Above: written by tools/record-reference.ts. -->'

/** Whatever this build can measure. */
export const documentedGauges: readonly Gauge[] = [...shippedGauges, ...optionalGauges]

/** The document with its generated part as the code has it now, for what these gauges measure. */
export function withReference(
  document: string,
  gauges: readonly Gauge[] = documentedGauges,
): string {
  const begin = document.indexOf(beginMark)
  const end = document.indexOf(endMark)
  if (begin < 0 || end < begin) throw new Error('docs/record.md has lost its marks')
  const head = document.slice(0, begin + beginMark.length)
  return `${head}\n\n${reference(gauges)}\n${document.slice(end)}`
}

function reference(gauges: readonly Gauge[]): string {
  const sections: readonly (readonly [title: string, body: string])[] = [
    ['Keys of a record', keyTable(Object.entries(recordMeanings))],
    ['Parts of a record', keyTable(parts())],
    ['Usage', table(['key', 'unit', 'meaning'], usageRows(gauges))],
    ['Usage of GPUs', `${gpuWords}\n\n${table(['key', 'unit', 'meaning'], gpuRows())}`],
    ['Usage of a container', table(['key', 'unit', 'meaning'], containerRows())],
    ['Columns of a series', table(['column', 'kind', 'meaning'], columnRows(gauges))],
    [
      'Columns of a container',
      table(
        ['column', 'kind', 'meaning'],
        containerColumns.map(({ name, kind, says }) => [`\`${name}\``, kind, says]),
      ),
    ],
    ['Statuses', keyTable(attemptStatuses.map((status) => [status, statusMeanings[status]]))],
    ['Verdicts', keyTable(Object.entries(verdictMeanings))],
    ['Exit codes', table(['`jobmeter run` exits with', 'status', 'meaning'], exitCodes)],
  ]
  return sections.map(([title, body]) => `## ${title}\n\n${body}\n`).join('\n')
}

type Entry = readonly [key: string, says: string]

function parts(): Entry[] {
  return [
    ...under('resource_usage', resourceUsageMeanings),
    ...under('detailed_profile', profileMeanings),
    ...under('requirements', requirementMeanings),
    ...under('stragglers[]', stragglerMeanings),
    ...under('bound_by', boundByMeanings),
    ...under('samples', samplesMeanings),
  ]
}

type Texts = Readonly<Record<string, string | Readonly<Record<string, string>>>>

function under(path: string, texts: Texts): Entry[] {
  return Object.entries(texts).flatMap(([key, says]): Entry[] =>
    typeof says === 'string' ? [[`${path}.${key}`, says]] : under(`${path}.${key}`, says),
  )
}

/** In the order of JSON: first what every record has, then what only some gauge brings. */
function usageRows(gauges: readonly Gauge[]): string[][] {
  const meanings = new Map(
    gauges
      .filter(({ name }) => name !== 'gpu')
      .flatMap(({ figures }) => figures.map(({ key, says }) => [key, says] as const)),
  )
  for (const { key, says } of [memoryLimitFigure, memoryLimitMetFigure, cpuUnseenFigure])
    meanings.set(key, says)
  const keys = new Set([...usageKeys, ...meanings.keys()])
  return Array.from(keys, (key) => [
    `\`usage.${usageName(key)}\``,
    unitOf(key),
    meanings.get(key) ?? '',
  ])
}

/** Only jobs in containers have these. */
const containerRows = (): string[][] =>
  [...containerFigures, ...containerRunFigures].map(({ key, says }) => [
    `\`usage.${usageName(key)}\``,
    unitOf(key),
    says,
  ])

const gpuWords = [
  'Only a job that lasted 0.3 s or more, on a machine with a GPU, has these; `N` is the number of a',
  'card. Elsewhere `gpu_utilization_percent_mean` alone is there, with the reason under `unmeasured`.',
  'Series have a column for each card besides: `gpu_N_util`, `gpu_N_memory_used_mb`,',
  '`gpu_N_memory_total_mb`, `gpu_N_memory_pct`, `gpu_N_temp_c` and `gpu_N_power_w`.',
].join('\n')

function gpuRows(): string[][] {
  const ofJob = gpuFigures.map(({ key, says }) => [
    `\`usage.${usageName(key)}\``,
    unitOf(key),
    says,
  ])
  const ofCards = Object.entries(cardFigures).map(([key, says]) => [
    `\`usage.gpuN${usageName(key)}\``,
    unitOf(key),
    says,
  ])
  return [...ofJob, ...ofCards]
}

/** The unit is in the key's name. */
function unitOf(key: string): string {
  if (key.endsWith('Seconds')) return 's'
  if (key.includes('BytesPerSecond')) return 'bytes/s'
  if (key.includes('Percent')) return '%'
  if (key.includes('Watts')) return 'W'
  if (key.includes('Joules')) return 'J'
  if (key.includes('Celsius')) return '°C'
  return /Bytes$|Chars$/.test(key) ? 'bytes' : 'count'
}

const columnRows = (gauges: readonly Gauge[]): string[][] =>
  seriesColumns(describeColumns(layOut(gauges).columns, gauges)).map(({ name, kind, says }) => [
    `\`${name}\``,
    kind,
    says,
  ])

const keyTable = (entries: readonly Entry[]): string =>
  table(
    ['key', 'meaning'],
    entries.map(([key, says]) => [`\`${key}\``, says]),
  )

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n')
}

if (import.meta.main) {
  const path = join(import.meta.dirname, '../docs/record.md')
  const found = readFileSync(path, 'utf8')
  const wanted = withReference(found)
  if (!process.argv.includes('--check')) writeFileSync(path, wanted)
  else if (found !== wanted) {
    console.error('docs/record.md is stale: run node tools/record-reference.ts')
    process.exitCode = 1
  }
}
