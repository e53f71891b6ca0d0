import { defineCommand, type OptionTable } from '../command/define.ts'
import { queueOptions } from './queue-options.ts'

/** What a job of the queue can be given, whichever way it is named. */
export const jobOptions = {
  name: {
    type: 'string',
    value: 'NAME',
    says: 'the name of the job (default: its script or tool)',
  },
  param: {
    type: 'list',
    value: 'K=V',
    example: 'mesh_size=64',
    says: 'a parameter to store with the record',
  },
  tag: { type: 'list', value: 'TAG', says: 'a tag to find the job by' },
  cpus: {
    type: 'number',
    value: 'N',
    min: 0.001,
    says: 'how many CPUs the job needs (default: 1)',
  },
  memory: {
    type: 'bytes',
    value: 'SIZE',
    min: 1,
    needsUnit: true,
    says: 'how much memory the job needs',
  },
  gpus: { type: 'number', value: 'N', min: 0, whole: true, says: 'how many GPUs the job needs' },
  labels: {
    type: 'list',
    commas: 'always',
    value: 'LABEL',
    example: 'scratch',
    says: 'what its worker must have',
  },
  runtime: { type: 'duration', value: 'TIME', min: 0, says: 'how long the job should take' },
  timeout: { type: 'duration', value: 'TIME', min: 0.001, says: 'end the job after this time' },
  'memory-limit': {
    type: 'bytes',
    value: 'SIZE',
    min: 1,
    needsUnit: true,
    says: 'kill the job if it uses more memory than this',
  },
  grace: {
    type: 'duration',
    value: 'TIME',
    default: 10,
    min: 0,
    says: 'time between asking the job to end and killing it',
  },
  priority: {
    type: 'number',
    value: 'N',
    default: 0,
    min: -1000,
    max: 1000,
    whole: true,
    says: 'jobs of a higher priority come first',
  },
  retries: {
    type: 'number',
    value: 'N',
    default: 0,
    min: 0,
    max: 1000,
    whole: true,
    says: 'how often the job is run again if it fails',
  },
  interruptions: {
    type: 'number',
    value: 'N',
    default: 3,
    min: 0,
    max: 1000,
    whole: true,
    says: 'how often the job is run again if its worker is lost',
  },
  after: { type: 'string', value: 'ID', says: 'begin only if this job has succeeded' },
  env: {
    type: 'list',
    value: 'K=V',
    says: 'a variable for the job, on top of those of its worker',
  },
  directory: {
    type: 'string',
    value: 'DIR',
    says: 'where the job runs, on its worker (default: this directory)',
  },
  wait: { type: 'boolean', says: 'wait for the job, print its output and end with its exit code' },
} as const satisfies OptionTable

export const submitDefinition = defineCommand({
  name: 'submit',
  aliases: [],
  summary: 'Puts a job into the queue of the team, and prints its id.',
  usage: 'submit [options] -- COMMAND [ARG...] | submit SPEC | submit TOOL [SCRIPT] [options]',
  description:
    'A worker that has what the job needs runs it, as the user of that worker. The job is in the queue when this command ends, whatever happens after that; if no worker that is alive accepts it, a warning says so. It gets no standard input, and processes that it leaves running are ended with it. `jobmeter submit SPEC` runs a workflow whose jobs go through the queue; `jobmeter submit TOOL SCRIPT` runs a tool as the file of tools says: see their --help.',
  arguments: [
    { name: 'command', required: false, variadic: true, says: 'what to run, with its arguments' },
  ],
  passthrough: true,
  options: {
    ...jobOptions,
    'each-line': {
      type: 'string',
      value: 'FILE',
      says: 'a job for each line of this file but comments (#), run by sh; - for standard input',
    },
    ...queueOptions,
  },
  examples: [
    'jobmeter submit --cpus 4 --memory 8g -- ./simulate mesh.dat',
    'jobmeter submit --wait -- make bench',
    'jobmeter submit --retries 2 --labels scratch -- python3 train.py',
    'jobmeter submit pipeline.yaml',
    'jobmeter submit fenicsx poisson.py --param mesh_size=64 --wait',
  ],
})
