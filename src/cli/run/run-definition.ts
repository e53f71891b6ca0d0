import { defineCommand, globalOptions } from '../command/define.ts'
import { alertsOption } from '../command/alerts-option.ts'
import { metricsOptions } from './metrics-option.ts'

export const runDefinition = defineCommand({
  name: 'run',
  aliases: [],
  summary: 'Runs a command, measures every process that belongs to it and records what it used.',
  usage: 'run [options] -- COMMAND [ARG...] | run SPEC',
  description:
    "The exit code is the command's own: 128 + N if signal N ended it, 124 on --timeout, 127 if it was not found, 126 if it could not be run. A summary goes to standard error. `jobmeter run SPEC` and `jobmeter run --resume ID` run a workflow instead: see `jobmeter run SPEC --help`.",
  arguments: [
    { name: 'command', required: true, variadic: true, says: 'what to run, with its arguments' },
  ],
  passthrough: true,
  options: {
    name: {
      type: 'string',
      value: 'NAME',
      says: 'the name of the job (default: its script or tool)',
    },
    tool: {
      type: 'string',
      value: 'TOOL',
      says: 'the program, if not the first word of the command',
    },
    script: {
      type: 'string',
      value: 'FILE',
      says: 'the script, if the command does not show it',
    },
    param: {
      type: 'list',
      value: 'K=V',
      example: 'mesh_size=64',
      says: 'a parameter to store with the record',
    },
    tag: { type: 'list', value: 'TAG', says: 'a tag to find the job by' },
    cpus: { type: 'number', value: 'N', min: 0.001, says: 'how many CPUs the job asks for' },
    memory: {
      type: 'bytes',
      value: 'SIZE',
      min: 1,
      needsUnit: true,
      says: 'how much memory the job asks for',
    },
    gpus: {
      type: 'number',
      value: 'N',
      min: 0,
      whole: true,
      says: 'how many GPUs the job asks for',
    },
    runtime: { type: 'duration', value: 'TIME', min: 0, says: 'how long the job should take' },
    timeout: {
      type: 'duration',
      value: 'TIME',
      min: 0.001,
      says: 'end the job and all its children after this time',
    },
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
    interval: {
      type: 'duration',
      value: 'TIME',
      default: 1,
      min: 0.01,
      says: 'time between samples of the job',
    },
    series: { type: 'boolean', default: true, says: 'keep only the totals, no samples' },
    monitor: {
      type: 'boolean',
      default: true,
      says: 'do not watch the job while it runs; record only what the kernel reports when it ends',
    },
    ...metricsOptions,
    stragglers: {
      type: 'choice',
      choices: ['leave', 'kill', 'wait'],
      default: 'leave',
      says: 'what to do with processes that outlive the main one',
    },
    'in-container-of': {
      type: 'string',
      value: 'NAME',
      says: 'measure this container for the job (found by itself for docker run and podman run)',
    },
    'output-dir': {
      type: 'string',
      value: 'DIR',
      says: 'also write the samples to a file in DIR/resource_utilization',
    },
    ...alertsOption,
    quiet: {
      type: 'boolean',
      short: 'q',
      says: 'print only errors, and the record if --format json is given',
    },
    ...globalOptions,
  },
  examples: [
    'jobmeter run -- python3 train.py --epochs 3',
    'jobmeter run --cpus 4 --memory 8g --timeout 2h -- ./simulate mesh.dat',
    'jobmeter run pipeline.yaml --max-parallel-jobs 4',
    'jobmeter run --metrics default,threads,energy -- ./simulate mesh.dat',
    'jobmeter run --quiet --tag nightly --param mesh_size=64 -- make bench',
  ],
})
