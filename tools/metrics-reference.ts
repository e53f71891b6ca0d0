/**
 * Writes the tables of docs/prometheus.md from the definitions of the metrics.
 * `node tools/metrics-reference.ts` updates the file.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unitOf } from '../src/render/metrics/family.ts'
import { allFamilies } from '../src/render/metrics/metrics-text.ts'

const beginMark = '<!-- Below: written by tools/metrics-reference.ts. Do not edit by hand. -->'
const endMark = '<!-- Above: written by tools/metrics-reference.ts. -->'

export const metricsDocument = join(import.meta.dirname, '../docs/prometheus.md')

/** The document with its tables as the definitions have them now. */
export function withMetricsReference(document: string): string {
  const begin = document.indexOf(beginMark)
  const end = document.indexOf(endMark)
  if (begin < 0 || end < begin) throw new Error('docs/prometheus.md has lost its marks')
  const tables = allFamilies.map(({ title, families }) => {
    const rows = families.map(({ name, kind, labels, help }) => {
      const full = kind === 'counter' ? `${name}_total` : kind === 'info' ? `${name}_info` : name
      const said = labels.map((label) => `\`${label}\``).join(', ')
      return `| \`${full}\` | ${kind} | ${unitOf(name) ?? ''} | ${said} | ${help} |`
    })
    const head = '| metric | kind | unit | labels | what it is |\n|---|---|---|---|---|'
    return `### ${title}\n\n${head}\n${rows.join('\n')}\n`
  })
  return `${document.slice(0, begin + beginMark.length)}\n\n${tables.join('\n')}\n${document.slice(end)}`
}

if (import.meta.main)
  writeFileSync(metricsDocument, withMetricsReference(readFileSync(metricsDocument, 'utf8')))
