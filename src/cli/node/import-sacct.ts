import { findNamedFiles } from '../../import/find-files.ts'
import { SacctReader } from '../../import/slurm/sacct-reader.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { importConfigOption, runImport } from './import-run.ts'
import { nodeDatabaseOption } from './node-options.ts'

const definition = defineCommand({
  name: 'import sacct',
  aliases: [],
  summary: 'Takes over what Slurm has accounted of jobs: who, when, what they asked for and used.',
  usage: 'import sacct FILE… [options]',
  description:
    'Reads what sacct -P (or --parsable2) printed, with its header; any columns in any order, of which JobID is needed. Jobs that were sampled get their account and their request. Of those that were not, the CPU time counts evenly over the time that they ran. Times are local unless they name an offset. An import may be repeated.',
  arguments: [{ name: 'file', required: true, variadic: true, says: 'what sacct -P printed' }],
  options: { ...importConfigOption, ...globalOptions, ...nodeDatabaseOption },
  examples: [
    'sacct -P -a -S 2026-01-01 -o JobIDRaw,User,Account,JobName,Start,End,TotalCPU,MaxRSS,AllocTRES,Timelimit,NodeList > jobs.txt',
    'jobmeter import sacct jobs.txt',
  ],
})

export const execute = commandAction(definition, ({ options, arguments: { file }, console }) =>
  runImport(
    console,
    options,
    findNamedFiles(file),
    (history, _, nowSeconds) => new SacctReader(history, nowSeconds),
  ),
)
