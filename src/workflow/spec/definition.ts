import * as z from 'zod'
import { actionTriggers, jobSortMethods } from '../../model/workflow.ts'
import { container } from './definition-container.ts'
import { specMetricNames } from './metric-names.ts'
import { failureHandler, resourceRequirements, slurmScheduler } from './definition-resources.ts'
import {
  environment,
  name,
  names,
  parameters,
  patterns,
  refuseNul,
  scalar,
  textsByName,
  wholeNumber,
} from './definition-values.ts'

/**
 * The one definition of a workflow file. Checking, the JSON Schema and docs/spec.md all come from it; the
 * texts are what users read in their editor. It changes no value: what it accepts is used as written.
 */

const parameterKeys = {
  parameters: parameters
    .optional()
    .describe("Values by name, to make several out of this one; they replace the workflow's."),
  parameter_mode: z
    .enum(['product', 'zip'])
    .optional()
    .describe(
      '`product` (the default): every combination. `zip`: the first values together, then the second values, and so on.',
    ),
  use_parameters: z
    .array(z.string())
    .optional()
    .describe(
      "The workflow's parameters to use here. Without it: those that appear in braces anywhere in here.",
    ),
}

const requirementsOfJob = z.union([z.string().min(1), resourceRequirements.partial({ name: true })])

export const job = z
  .strictObject({
    name: name.describe('Unique after expansion.'),
    command: z
      .string()
      .regex(/\S/, { error: 'must not be empty' })
      .superRefine(refuseNul)
      .describe('A line of shell.'),
    invocation_script: z
      .string()
      .superRefine(refuseNul)
      .optional()
      .describe(
        'Put before the command, with a space: a script that prepares things and runs its arguments.',
      ),
    resource_requirements: requirementsOfJob
      .optional()
      .describe('A name from the list `resource_requirements`, or the mapping itself.'),
    failure_handler: z.string().optional().describe('A name from `failure_handlers`.'),
    scheduler: z
      .string()
      .optional()
      .describe(
        'A name from `slurm_schedulers`, for `--executor slurm`. Without it: the only one that there is.',
      ),
    container: container.optional(),
    env: environment.optional().describe("Environment of this job; it overrides the workflow's."),
    priority: z
      .int()
      .optional()
      .describe(
        'Of the jobs that could start, those with the highest priority start first. Default 0.',
      ),
    cancel_on_blocking_job_failure: z
      .boolean()
      .optional()
      .describe('Whether to cancel this job when one that it waits for fails. Default true.'),
    supports_termination: z
      .boolean()
      .optional()
      .describe('Kept for other executors, not used here.'),
    depends_on: names.optional().describe('Jobs that must succeed first.'),
    depends_on_regexes: patterns.optional().describe('The same, by pattern.'),
    blocked_by: names.optional().describe('Another name for `depends_on`.'),
    blocked_by_regexes: patterns.optional().describe('Another name for `depends_on_regexes`.'),
    input_files: names
      .optional()
      .describe('Files it reads; it waits for the job that writes them.'),
    input_file_regexes: patterns.optional().describe('The same, by pattern.'),
    output_files: names.optional().describe('Files it writes.'),
    output_file_regexes: patterns.optional().describe('The same, by pattern.'),
    input_user_data: names
      .optional()
      .describe('User data it reads; it waits for the job that writes it.'),
    input_user_data_regexes: patterns.optional().describe('The same, by pattern.'),
    output_user_data: names.optional().describe('User data it writes.'),
    output_user_data_regexes: patterns.optional().describe('The same, by pattern.'),
    ...parameterKeys,
  })
  .describe('One command, or with parameters, many.')

export const file = z
  .strictObject({
    name: name.describe('What jobs call it.'),
    path: z.string().min(1).superRefine(refuseNul).describe('Where it is.'),
    ...parameterKeys,
  })
  .describe('A file that jobs read or write.')

export const userData = z
  .strictObject({
    name: name.describe('What jobs call it.'),
    data: z.unknown().optional().describe('Any JSON value.'),
    is_ephemeral: z.boolean().optional().describe('Whether it is of use only within one run.'),
    ...parameterKeys,
  })
  .describe('Data that jobs read or write, other than files.')

export const action = z
  .strictObject({
    trigger_type: z.enum(actionTriggers).describe('When.'),
    action_type: z.enum(['run_commands', 'schedule_nodes']).describe('What.'),
    jobs: names.optional().describe('The jobs that `on_jobs_…` refers to.'),
    job_name_regexes: patterns.optional().describe('The same, by pattern.'),
    commands: names.optional().describe('What `run_commands` runs, one after another.'),
    scheduler: z
      .string()
      .optional()
      .describe(
        'The entry of `slurm_schedulers` that `schedule_nodes` uses, with `--executor slurm`.',
      ),
    scheduler_type: z
      .string()
      .optional()
      .describe('The kind of that scheduler; `slurm` is the only one.'),
    num_allocations: wholeNumber(1)
      .optional()
      .describe('How many allocations `schedule_nodes` asks Slurm for. Default 1.'),
    persistent: z
      .boolean()
      .optional()
      .describe(
        'Whether the workers of these allocations stay when no job is left for them. Default false.',
      ),
    max_parallel_jobs: wholeNumber(1)
      .optional()
      .describe(
        'How many jobs run at the same time on each node of these allocations. Default: as many as fit.',
      ),
    start_one_worker_per_node: z
      .boolean()
      .optional()
      .describe('Each node of an allocation has a worker, whatever this says.'),
  })
  .check(
    z.superRefine((value, context) => {
      const missing = missingFromAction(value)
      if (missing !== null) context.addIssue({ code: 'custom', message: missing })
    }),
  )
  .describe('Something to do at a certain point in the workflow.')

function missingFromAction(value: {
  trigger_type: string
  action_type: string
  jobs?: unknown
  job_name_regexes?: unknown
  commands?: unknown
  scheduler?: unknown
}): string | null {
  if (value.action_type === 'run_commands' && value.commands === undefined) {
    return 'run_commands needs "commands"'
  }
  if (value.action_type === 'schedule_nodes' && value.scheduler === undefined) {
    return 'schedule_nodes needs "scheduler"'
  }
  const hasJobs = value.jobs !== undefined || value.job_name_regexes !== undefined
  if (value.trigger_type.startsWith('on_jobs_') && !hasJobs) {
    return `${value.trigger_type} needs "jobs" or "job_name_regexes"`
  }
  return null
}

const resourceMonitor = z
  .strictObject({
    enabled: z.boolean().optional().describe('Default true.'),
    granularity: z
      .enum(['summary', 'time_series'])
      .optional()
      .describe('`time_series` also keeps every sample, in a file of the run. Default `summary`.'),
    sample_interval_seconds: z
      .number()
      .min(0.001)
      .optional()
      .describe('Fractions are allowed. Default 5.'),
    generate_plots: z.boolean().optional().describe('Draw the samples at the end. Default false.'),
    metrics: z
      .array(z.enum(specMetricNames))
      .optional()
      .describe(
        'What to measure, instead of what is measured by default; an empty list measures nothing, `default` stands for what is measured by default, and `all` for everything. CPU time and the outcome are always known. `disk` means `io`, `cpu_percent` `cpu`, `memory_bytes` `memory`, `num_processes` `processes`.',
      ),
    enforce: z
      .array(z.enum(['memory', 'runtime']))
      .optional()
      .describe('Requests that are also limits: a job that exceeds one is ended. Default none.'),
  })
  .describe('How jobs are measured. Without it: on, with the defaults.')

export const workflow = z
  .strictObject({
    name: name.describe('Name of the workflow.'),
    user: z.string().optional().describe('Whose it is.'),
    description: z.string().optional(),
    project: z.string().optional(),
    metadata: z.unknown().optional().describe('Anything; it is kept as it is.'),
    variables: textsByName
      .optional()
      .describe('Texts to insert wherever their name appears in braces: `{data_root}`.'),
    parameters: parameters.optional().describe('Parameters that jobs, files and user data share.'),
    env: environment.optional().describe('Environment of every job.'),
    jobs: z.array(job).min(1).describe('The jobs.'),
    files: z.array(file).optional().describe('Files that jobs read or write.'),
    user_data: z.array(userData).optional().describe('Other data that jobs read or write.'),
    resource_requirements: z.array(resourceRequirements).optional().describe('Requests, by name.'),
    failure_handlers: z.array(failureHandler).optional().describe('Ways to retry, by name.'),
    actions: z.array(action).optional().describe('What to do at certain points in the workflow.'),
    resource_monitor: resourceMonitor.optional(),
    jobs_sort_method: z
      .enum(jobSortMethods)
      .optional()
      .describe('Order in which jobs of the same priority start. Default `none`.'),
    max_parallel_jobs: wholeNumber(1)
      .optional()
      .describe(
        'How many jobs may run at the same time. `--max-parallel-jobs` overrides it. Default: as many as fit.',
      ),
    strict_files: z
      .boolean()
      .optional()
      .describe(
        'Whether a job fails if it does not write a file it declares, and nothing starts if an input is missing that none of the jobs left to run writes. Default false: you are only warned.',
      ),
    use_pending_failed: z.boolean().optional().describe('Kept for other executors, not used here.'),
    slurm_schedulers: z
      .array(slurmScheduler)
      .optional()
      .describe('What to ask Slurm for, by name, with `--executor slurm`.'),
    slurm_defaults: z
      .record(z.string(), scalar)
      .optional()
      .describe(
        'Options of every submission to Slurm: `{qos: high, exclusive: true}` is `--qos=high --exclusive`.',
      ),
  })
  .describe('A workflow: jobs, what they need and how they depend on each other.')

/** Settings of another executor whose names are not all known; any scalar will do. */
export const computeNodeKey = /^compute_node_/
export const computeNodeSetting = scalar

export type WorkflowSpec = z.infer<typeof workflow>
export type JobSpec = z.infer<typeof job>
export type FileSpec = z.infer<typeof file>
export type UserDataSpec = z.infer<typeof userData>
export type ActionSpec = z.infer<typeof action>
export type ParameterSpec = z.infer<typeof parameters>
