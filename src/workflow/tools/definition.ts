import * as z from 'zod'
import { duration, environment, refuseNul, size, wholeNumber } from '../spec/definition-values.ts'

const word = z.string().superRefine(refuseNul)

const tool = z.strictObject({
  command: z.array(word).min(1),
  image: z.string().min(1).optional(),
  engine: z.enum(['docker', 'podman']).optional(),
  cpus: z.number().positive().optional(),
  memory: size.optional(),
  gpus: wholeNumber(0).optional(),
  runtime: duration.optional(),
  timeout: duration.optional(),
  memory_limit: size.optional(),
  environment: environment.optional(),
  working_directory: z.string().optional(),
  script_is_file: z.boolean().optional(),
  labels: z.array(z.string().min(1)).optional(),
})

/** A file of tools. */
export const toolFile = z.strictObject({ tools: z.record(z.string().min(1), tool) })
