/**
 * Works out what a site of 10,000 nodes and 1,000,000 jobs a day asks of a team ledger, by what one of each thing was measured to
 * cost (`scale/costs.ts`), and writes the tables into docs/scale.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { caseTable, costTable, dayTable, queueCostTable, queueTable } from './scale/page.ts'

export const scalePage = join(import.meta.dirname, '../docs/scale.md')

/** The page with its tables as they are worked out now; each stands between a pair of marks. */
export function withTables(page: string): string {
  const tables = {
    costs: costTable,
    day: dayTable,
    cases: caseTable,
    'queue costs': queueCostTable,
    queue: queueTable,
  }
  return Object.entries(tables).reduce((text, [name, table]) => {
    const [begin, end] = [`<!-- ${name} -->\n\n`, `\n<!-- end of ${name} -->`]
    const from = text.indexOf(begin) + begin.length
    const to = text.indexOf(end)
    if (from < begin.length || to < from) throw new Error(`the page has no place for ${name}`)
    return text.slice(0, from) + table() + text.slice(to)
  }, page)
}

if (import.meta.main) writeFileSync(scalePage, withTables(readFileSync(scalePage, 'utf8')))
