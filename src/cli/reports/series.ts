import { withRates } from '../../analysis/series/device-rates.ts'
import { describeColumns } from '../../meter/gauges/sample-layout.ts'
import { shippedGauges } from '../../meter/gauges/shipped.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { seriesCsv } from '../../render/series/series-csv.ts'
import { seriesJson } from '../../render/series/series-json.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { findJob, jobWords } from '../../service/find-job.ts'
import { samplesOf } from '../../service/job-samples.ts'
import { samplesOption } from './samples-option.ts'
import { openReader } from '../ledger/ledger.ts'

const definition = defineCommand({
  name: 'series',
  aliases: [],
  summary: "Exports a job's samples: what it used, over time.",
  usage: 'series ID [options]',
  description:
    'Counters are as they were read; cpu_percent and the rates are derived from them, each over the time since the sample before; the CPU peak of a record is over a second or more, or over a shorter job, so that a shorter step may show more. I/O, swap and the machine are read at most once a second: in between, their cells are empty. Samples of devices that the job used follow on lines of their own, with the cpu_percent of threads and containers, and so do marks that its program set.',
  arguments: [{ name: 'id', required: true, says: jobWords }],
  options: {
    ...samplesOption,
    ...globalOptions,
    format: {
      type: 'choice',
      choices: ['csv', 'json'],
      default: 'csv',
      says: 'output format',
    },
  },
  examples: ['jobmeter series last > samples.csv', 'jobmeter series 3f8a --format json'],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const reader = openReader(realSystem({ ownsProcess: false }), options.db)
  const record = await findJob(reader, given.id)
  const { whyNone, ...samples } = await samplesOf(reader, record, options['output-dir'])
  const marks = await reader.jobs.marks(record.taskId)
  await reader.close()
  if (samples.series.rows.length === 0) console.note(`jobmeter: no samples: ${whyNone}\n`)
  const devices = samples.devices.map((device) => withRates(device, record.machine.cores))
  const job = {
    ...samples,
    devices,
    marks,
    columns: describeColumns(samples.series.columns, shippedGauges),
  }
  if (options.format === 'json') console.print(`${jsonText(seriesJson(record, job))}\n`)
  else console.printAll(seriesCsv(job, record.machine.cores))
  return 0
})
