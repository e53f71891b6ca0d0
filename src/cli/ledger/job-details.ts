import { detailsText } from '../../render/record/details-text.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { recordJson } from '../../render/record/record-json.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption } from '../command/define.ts'
import { findJob, jobWords } from '../../service/find-job.ts'
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
  const reader = openReader(realSystem({ ownsProcess: false }), options.db)
  const records = await Promise.all(given.job.map((typed) => findJob(reader, typed)))
  await reader.close()
  if (options.format === 'json') {
    const [first, ...others] = records.map(recordJson)
    const json = first === undefined || others.length > 0 ? [first, ...others] : first
    console.print(`${jsonText(json, 2)}\n`)
  } else {
    const zone = zoneAsked(options)
    console.print(records.map((job) => detailsText(job, console.style(1), zone)).join('\n'))
  }
  return 0
})
