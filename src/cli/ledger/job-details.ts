import { detailsText } from '../../render/record/details-text.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { recordJson } from '../../render/record/record-json.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption } from '../command/define.ts'
import type { JobRecord } from '../../model/record.ts'
import type { Style } from '../../render/text/style.ts'
import { findJob, jobWords } from '../../service/find-job.ts'
import { pricePath } from '../../service/price-path.ts'
import type { System } from '../../system/system.ts'
import { openReader } from './ledger.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'

const definition = defineCommand({
  name: 'job-details',
  aliases: ['show'],
  summary: 'Shows everything known about one or more jobs, and how each figure was obtained.',
  usage: 'job-details JOB... [options]',
  description:
    'If a name or job id matches several attempts, the newest is shown. JSON output is one object for one job, and an array for several.',
  arguments: [{ name: 'job', required: true, variadic: true, says: jobWords }],
  options: { ...zoneOption, ...globalOptions },
  examples: [
    'jobmeter job-details 3f8a21b2c4d5',
    'jobmeter show train',
    'jobmeter show 3f8a21b2c4d5 7b9e3f1a8c2d',
    'jobmeter show last --format json',
  ],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const reader = openReader(system, options.db)
  const records = await Promise.all(given.job.map((typed) => findJob(reader, typed)))
  await reader.close()
  if (options.format === 'json') {
    const [first, ...others] = records.map(recordJson)
    const json = first === undefined || others.length > 0 ? [first, ...others] : first
    console.print(`${jsonText(json, 2)}\n`)
  } else {
    const zone = zoneAsked(options)
    const costs = await costsOf(system, records)
    const texts = records.map((job, index) => {
      const cost = costs[index]
      const details = detailsText(job, console.style(1), zone)
      return cost === undefined ? details : `${details}\n${cost(console.style(1))}`
    })
    console.print(texts.join('\n'))
  }
  return 0
})

/** Loaded only where there are prices. */
async function costsOf(
  system: System,
  records: readonly JobRecord[],
): Promise<readonly ((style: Style) => string)[]> {
  const prices = pricePath(system, undefined, process.env)
  if (prices === undefined) return []
  const { costSections } = await import('../reports/cost-line.ts')
  return costSections(system, prices, records)
}
