import { formatCount } from '../../render/units/figures.ts'
import { count } from '../../model/count.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption } from '../command/define.ts'
import { writePlots } from './plot-files.ts'
import { UserError } from '../../service/user-error.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'

const definition = defineCommand({
  name: 'plot-resources',
  aliases: [],
  summary: 'Draws what jobs used over time, as pages that open in any browser and need no network.',
  usage: 'plot-resources DB… [options]',
  description:
    'Reads series files, which runs with granularity "time_series" write to OUTPUT_DIR/resource_utilization. Writes a page for each job, one for the CPU and one for the memory of all jobs, and a summary. The pages share one copy of Plotly in the same directory: pass on the whole directory, or use --self-contained.',
  arguments: [{ name: 'db', required: true, variadic: true, says: 'the series files' }],
  options: {
    output: {
      type: 'string',
      short: 'o',
      value: 'DIR',
      default: '.',
      example: 'plots',
      says: 'where to put the pages; created if it is missing',
    },
    'job-ids': {
      type: 'string',
      value: 'IDS',
      example: '1,3,5',
      says: 'only the jobs with these ids',
    },
    prefix: {
      type: 'string',
      value: 'NAME',
      default: 'resource_plot',
      says: 'how the file names of the pages begin',
    },
    'self-contained': {
      type: 'boolean',
      says: 'put Plotly (1 MB) into each page, so that a page can be passed on alone',
    },
    ...zoneOption,
    format: globalOptions.format,
  },
  examples: [
    'jobmeter plot-resources out/resource_utilization/resource_metrics_*.db -o plots',
    'jobmeter plot-resources run.db --job-ids 1,3,5 --prefix my_experiment',
    'jobmeter plot-resources run.db --job-ids 7 --self-contained',
  ],
})

export const execute = commandAction(definition, ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  if (/[/\0]/.test(options.prefix))
    throw new UserError(
      '--prefix must be the start of a file name, not a path; use -o to put the pages elsewhere',
      'usage',
    )
  const jobIds = options['job-ids'] === undefined ? undefined : numbers(options['job-ids'])
  const written = writePlots(system, {
    paths: given.db,
    directory: options.output,
    prefix: options.prefix,
    isSelfContained: options['self-contained'],
    zone: zoneAsked(options),
    ...(jobIds === undefined ? {} : { jobIds }),
  })
  if (options.format === 'json') console.print(`${jsonText(written, 2)}\n`)
  else {
    const summary = written.pages.at(-1) ?? ''
    console.print(
      `${count(written.pages.length, 'page')} for ${count(written.jobs, 'job')} and ${formatCount(written.samples)} samples. Start with ${summary}\n`,
    )
  }
  return 0
})

function numbers(text: string): number[] {
  return text.split(',').map((part) => {
    if (!/^\s*\d{1,15}\s*$/.test(part))
      throw new UserError(
        `--job-ids "${text}" is not a list of job ids. Example: --job-ids 1,3,5`,
        'usage',
      )
    return Number(part)
  })
}
