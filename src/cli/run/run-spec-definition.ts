import { defineCommand, globalOptions } from '../command/define.ts'
import { workflowRunOptions } from './run-settings.ts'

/** Which of two to go on with, where a workflow's file has changed since it was stored. */
export const specWords = ['changed', 'stored'] as const

export const runSpecDefinition = defineCommand({
  name: 'run',
  aliases: [],
  summary: 'Runs a workflow file: stores it in the ledger, then runs and measures its jobs.',
  usage: 'run SPEC [options] | run [SPEC] --resume ID [options]',
  description:
    'The exit code is 0 if every job succeeded, 1 if not, and 2 if the file has errors. For single commands, see jobmeter run --help.',
  arguments: [
    { name: 'spec', required: false, says: 'the file: .yaml, .yml, .json, .json5 or .kdl' },
  ],
  options: {
    resume: {
      type: 'number',
      value: 'ID',
      min: 1,
      whole: true,
      says: 'run what is left of a workflow in the ledger, in the way in which it was run unless options say otherwise, and never what succeeded; with SPEC, also what changed in that file and what depends on it',
    },
    use: {
      type: 'choice',
      choices: specWords,
      says: 'with --resume, if the file has changed since: go on with the file as it is now, or with the stored version',
    },
    'resource-monitoring': {
      type: 'boolean',
      default: null,
      says: 'whether jobs are watched (default: as the file says)',
    },
    ...workflowRunOptions,
    ...globalOptions,
  },
  examples: [
    'jobmeter run pipeline.yaml --max-parallel-jobs 4',
    'jobmeter run --resume 3',
    'jobmeter run pipeline.yaml --resume 3',
    'jobmeter run pipeline.yaml --fail-fast --format json',
  ],
})
