import { findSonarFiles } from '../../import/find-files.ts'
import { SonarReader } from '../../import/sonar/sonar-reader.ts'
import { daySeconds } from '../../model/time-parts.ts'
import { usualRetention } from '../../store/node/retention.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { importConfigOption, runImport } from './import-run.ts'
import { nodeDatabaseOption } from './node-options.ts'

const definition = defineCommand({
  name: 'import sonar',
  aliases: [],
  summary: 'Takes over samples of Sonar, so that they can be asked for like those of the agent.',
  usage: 'import sonar PATH… [options]',
  description:
    'Reads JSON and CSV of all versions, plain or compressed with gzip. Of a directory it takes all files below it, in the order of the dates in their paths. What is in the database already is passed over, so an import may be repeated, and goes on where it was ended. Bad records are counted, told with file and line, and passed over.',
  arguments: [{ name: 'path', required: true, variadic: true, says: 'a file or a directory' }],
  options: {
    'max-gap': {
      type: 'duration',
      value: 'TIME',
      example: '2h',
      default: 3600,
      min: 1,
      says: 'samples of a host that are farther apart have a gap between them',
    },
    'slurm-ids': {
      type: 'boolean',
      says: 'the job ids in CSV files are those of Slurm (the format does not say)',
    },
    ...importConfigOption,
    ...globalOptions,
    ...nodeDatabaseOption,
  },
  examples: [
    'jobmeter import sonar /cluster/var/sonar/data/mlx.hpc.uio.no',
    'jobmeter import sonar 2026/03/*/0+sample-gpu1.json --db history.db',
    'jobmeter import sonar old-logs --slurm-ids --format json',
  ],
})

export const execute = commandAction(definition, ({ options, arguments: { path }, console }) =>
  runImport(console, options, findSonarFiles(path), (history, { retention }, nowSeconds) => {
    const { rawDays, fiveMinuteDays } = { ...usualRetention, ...retention }
    const keptMs = (days: number): number => (nowSeconds - days * daySeconds) * 1e3
    return new SonarReader(history, {
      kept: { rawMs: keptMs(rawDays), fiveMs: keptMs(fiveMinuteDays) },
      longestSeconds: options['max-gap'],
      nowSeconds,
      idsAreSlurms: options['slurm-ids'],
    })
  }),
)
