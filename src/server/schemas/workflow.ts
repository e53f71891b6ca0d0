import { z } from '@hono/zod-openapi'
import { jobStates } from '../../model/job-state.ts'
import { containerRuntimes } from '../../model/workflow.ts'
import { attemptStatus } from './job.ts'
import {
  figure,
  flag,
  momentOrNull,
  requirements,
  secondsOrNull,
  textOrNull,
  texts,
  whole,
  wholeOrNull,
} from './values.ts'

const jobState = z.enum(jobStates).openapi('JobState')

const headKeys = {
  workflow_id: whole,
  name: z.string(),
  user: z.string(),
  created_at: momentOrNull,
  spec_path: z.string(),
  job_count: whole,
  states: z.record(jobState, whole),
  latest_run_id: wholeOrNull,
  runner: z
    .object({ host: z.string(), pid: whole })
    .nullable()
    .openapi({ description: 'who runs it, or did so last without saying that it ended' }),
}

/** Seconds since 1970. */
const endEstimate = z
  .object({
    ends_at: z.number(),
    earliest_at: z.number(),
    latest_at: z.number(),
    basis: z.string(),
  })
  .openapi('EndEstimate', {
    description: 'the true end is between these two in about four of five cases',
  })

export const workflowProgress = z
  .object({
    workflow_id: whole,
    name: z.string(),
    user: z.string(),
    states: z.record(jobState, whole),
    total: whole,
    done: whole,
    failed: whole,
    running: whole,
    run_id: wholeOrNull,
    run_started_at: secondsOrNull,
    run_ended_at: secondsOrNull,
    is_being_run: flag,
    estimate: endEstimate.nullable(),
  })
  .openapi('WorkflowProgress')

const progress = workflowProgress.openapi({
  description: 'how far it has come; events of the kind `workflow` tell when that changes',
})

const workflowHead = z.object({ ...headKeys, progress }).openapi('WorkflowHead')
export const workflowList = z
  .object({ workflows: z.array(workflowHead), next_cursor: textOrNull })
  .openapi('WorkflowList')

const run = z
  .object({
    run_id: whole,
    started_at: momentOrNull,
    ended_at: momentOrNull,
    host: z.string(),
    output_directory: z.string(),
  })
  .openapi('Run')
export const runs = z.object({ workflow_id: whole, runs: z.array(run) }).openapi('Runs')

export const workflow = z
  .object({
    ...headKeys,
    progress,
    runs: z.array(run),
    is_being_run: flag,
    workflow: z
      .record(z.string(), z.unknown())
      .openapi({ description: 'the workflow as its file has it, without its jobs' }),
  })
  .openapi('Workflow')

const workflowJob = z
  .object({
    job_id: whole,
    job_name: z.string(),
    state: jobState,
    command: z.string(),
    depends_on: texts,
    resource_requirements: requirements,
    attempts: whole,
    template: z.string().openapi({
      description:
        'its name as the file has it, the same for all jobs that come of it: `train_{i}`',
    }),
  })
  .openapi('WorkflowJob')
export const workflowJobs = z
  .object({ workflow_id: whole, jobs: z.array(workflowJob) })
  .openapi('WorkflowJobs')

const result = z
  .object({
    task_id: z.string(),
    job_id: whole,
    job_name: z.string(),
    run_id: whole,
    attempt: whole,
    status: attemptStatus,
    return_code: wholeOrNull,
    exec_time_seconds: figure,
    cpu_seconds: figure,
    peak_cpu_percent: figure,
    avg_cpu_percent: figure,
    peak_memory_bytes: figure,
    avg_memory_bytes: figure,
    lower_bounds: texts,
    warning: textOrNull,
  })
  .openapi('Result', { description: 'an attempt at a job of a workflow' })
export const results = z.object({ workflow_id: whole, results: z.array(result) }).openapi('Results')

const plannedJob = z.object({
  name: z.string(),
  command: z.string(),
  depends_on: texts,
  resource_requirements: requirements,
  container: z
    .object({ image: z.string(), runtime: z.enum(containerRuntimes).nullable() })
    .nullable()
    .openapi({ description: 'null for a job that runs in none; runtime: null for any' }),
})
export const plan = z
  .object({
    name: z.string(),
    jobs: z.array(plannedJob),
    stages: z.array(texts),
    critical_path: texts,
    critical_path_seconds: z
      .number()
      .nullable()
      .openapi({ description: 'null where no job asks for a runtime' }),
    jobs_without_runtime: whole,
    peak: z.object({
      basis: z.enum(['runtimes', 'stages']),
      jobs: whole,
      cpus: z.number(),
      memory_bytes: z.number(),
      gpus: z.number(),
    }),
    totals: z.object({
      jobs: whole,
      stages: whole,
      dependencies: whole,
      core_seconds: z.number(),
    }),
    does_not_fit: z.array(
      z.object({
        job: z.string(),
        resource: z.enum(['cpus', 'memory_bytes', 'gpus']),
        requested: z.number(),
        available: z.number(),
      }),
    ),
  })
  .openapi('Plan')

export type WorkflowHead = z.infer<typeof workflowHead>
export type WorkflowList = z.infer<typeof workflowList>
export type WorkflowProgress = z.infer<typeof workflowProgress>
export type Workflow = z.infer<typeof workflow>
export type WorkflowJobs = z.infer<typeof workflowJobs>
export type Plan = z.infer<typeof plan>
export type Results = z.infer<typeof results>
