import { jobCost } from '../../analysis/cost/job-cost.ts'
import { costReport } from '../../analysis/cost/cost-report.ts'
import type { Prices } from '../../model/prices.ts'
import type { AttemptRecord, JobRecord } from '../../model/record.ts'
import { printable } from '../../render/text/printable.ts'
import type { SummaryLine } from '../../render/record/summary-text.ts'
import { moneyText } from '../../render/reports/cost/rows.ts'
import { costText } from '../../render/reports/cost/text.ts'
import type { Style } from '../../render/text/style.ts'
import { loadPrices } from '../../service/price-file.ts'
import { UserError } from '../../service/user-error.ts'
import type { System } from '../../system/system.ts'

/** What a job cost, in a line of its summary. */
export async function costLine(
  system: System,
  path: string,
  record: AttemptRecord,
): Promise<readonly SummaryLine[]> {
  const prices = await pricesIn(system, path)
  if (prices === undefined)
    return [['Cost', 'not known; jobmeter reports cost tells what is wrong with the prices']]
  const { requested, used } = jobCost(record, prices)
  const asked = requested.total === null ? '' : ` · ${moneyText(requested)} for what it asked for`
  const currency = printable(prices.currency)
  return [['Cost', `${moneyText(used)} ${currency} for what it used${asked}`]]
}

/** The same for what is shown of jobs; empty where the prices cannot be read. */
export async function costSections(
  system: System,
  path: string,
  records: readonly JobRecord[],
): Promise<readonly ((style: Style) => string)[]> {
  const prices = await pricesIn(system, path)
  if (prices === undefined) return []
  return records.map(
    (record) => (style) =>
      `${style.bold('Cost:')}\n${indented(costText(costReport([record], prices), style))}`,
  )
}

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')

async function pricesIn(system: System, path: string): Promise<Prices | undefined> {
  try {
    return (await loadPrices(system, path, {}))?.prices
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}
