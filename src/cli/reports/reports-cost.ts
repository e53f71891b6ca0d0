import { costReport } from '../../analysis/cost/cost-report.ts'
import type { JobRecord } from '../../model/record.ts'
import { costCsv } from '../../render/reports/cost/csv.ts'
import { costJson } from '../../render/reports/cost/json.ts'
import { costMarkdown } from '../../render/reports/cost/markdown.ts'
import { costText } from '../../render/reports/cost/text.ts'
import { findJob, jobWords } from '../../service/find-job.ts'
import { loadPrices } from '../../service/price-file.ts'
import { defaultPricePath } from '../../service/price-path.ts'
import { UserError } from '../../service/user-error.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'
import { openReader } from '../ledger/ledger.ts'
import { pricesOption } from './prices-option.ts'
import { inFormat, reportOptions } from './report-format.ts'

const definition = defineCommand({
  name: 'reports cost',
  aliases: [],
  summary: 'Shows what jobs cost, by what they asked for and by what they used.',
  usage: 'reports cost [ID|JOB] [options]',
  description:
    'A number is a workflow id, if there is such a workflow, or else a job id. All attempts of a workflow are counted, failed ones too. ' +
    'Without it, the newest workflow, or else the newest job. A request costs for as long as its job ran. ' +
    'What could not be priced is named. Prices are yours: none are built in. 1 GB is 1024³ bytes.',
  arguments: [{ name: 'what', required: false, says: `a workflow id, or ${jobWords}` }],
  options: { ...pricesOption, ...reportOptions },
  examples: [
    'jobmeter reports cost 1',
    'jobmeter reports cost last --prices prices.yaml',
    'jobmeter reports cost 1 --format csv > cost.csv',
  ],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const file = await loadPrices(system, options.prices, process.env)
  if (file === undefined)
    throw new UserError(
      `there are no prices. Write them to ${defaultPricePath(system, process.env)}, or name a file with --prices`,
    )
  const reader = openReader(system, options.db)
  const { workflowId, records } = await attemptsOf(reader, given.what)
  await reader.close()
  const report = costReport(records, file.prices)
  console.print(
    inFormat(options.format, {
      json: costJson(report, workflowId),
      csv: () => costCsv(report),
      markdown: () => costMarkdown(report),
      table: () => costText(report, console.style(1)),
    }),
  )
  return 0
})

interface Priced {
  readonly workflowId: number | null
  readonly records: readonly JobRecord[]
}

async function attemptsOf(reader: LedgerReader, typed: string | undefined): Promise<Priced> {
  const { workflows } = reader
  const asked = typed === undefined ? await workflows.newestWorkflowId() : numberIn(typed)
  const row = asked === undefined ? undefined : await workflows.findWorkflowRow(asked)
  if (row === undefined)
    return { workflowId: null, records: [await findJob(reader, typed ?? 'last')] }
  const { workflowId } = row
  const results = await workflows.results(workflowId, { allRuns: true })
  return { workflowId, records: results.map(({ record }) => record) }
}

const numberIn = (typed: string): number | undefined =>
  /^\d{1,15}$/.test(typed) ? Number(typed) : undefined
