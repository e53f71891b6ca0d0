import { z } from '@hono/zod-openapi'
import { onlyKnown } from './only-known.ts'
import { textOrNull, whole, wholeOrNull } from './values.ts'

const name = z.string().min(1).max(200)

/** As the options of `jobmeter run` have it: less would be refused when the server has answered already. */
const least = 0.001

export const commandSubmitted = onlyKnown('key', {
  command: z
    .array(z.string().max(100_000))
    .min(1)
    .max(1000)
    .openapi({
      description: 'the program and its arguments; no shell reads them',
      example: ['python3', 'train.py'],
    }),
  name: name.optional(),
  tags: z.array(name).max(50).optional(),
  cpus: z.number().min(least).max(1e6).optional(),
  memory_bytes: z.int().positive().optional(),
  gpus: z.int().min(0).max(1e6).optional(),
  runtime_seconds: z.number().min(least).max(1e9).optional(),
  timeout_seconds: z.number().min(least).max(1e9).optional(),
}).openapi('CommandSubmitted')

export const commandStarted = z
  .object({
    task_id: textOrNull.openapi({
      description: 'null: it is not known yet; its record has the tag',
    }),
    tag: z.string(),
    pid: whole,
  })
  .openapi('CommandStarted')

export const specSubmitted = onlyKnown('key', {
  spec: z.string().min(1).openapi({ description: 'the text of a workflow file' }),
  file_name: z
    .string()
    .regex(/^[\w-][\w.-]{0,99}\.(ya?ml|json5?|kdl)$/)
    .openapi({ description: 'its ending says what language it is in', example: 'train.yaml' }),
}).openapi('SpecSubmitted')

export const workflowStarted = z
  .object({ workflow_id: whole, pid: whole })
  .openapi('WorkflowStarted')

export const jobCancelled = z
  .object({
    task_id: z.string(),
    pid: whole.openapi({ description: 'the process that was asked to end it' }),
  })
  .openapi('JobCancelled')

export const workflowCancelled = z
  .object({
    workflow_id: whole,
    runner_pid: wholeOrNull,
    jobs_cancelled: whole,
    processes_ended: z.array(whole),
  })
  .openapi('WorkflowCancelled')
