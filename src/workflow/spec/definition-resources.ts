import * as z from 'zod'
import { parseBytes } from '../../model/bytes.ts'
import { parseDuration } from '../../model/duration.ts'
import { duration, name, size, wholeNumber, refuseNul } from './definition-values.ts'

const cpus = z.number().positive()

export const resourceRequirements = z
  .strictObject({
    name: name.describe('What jobs call it.'),
    num_cpus: cpus.optional().describe('How many CPUs it keeps busy.'),
    cpus: cpus.optional().describe('Another name for `num_cpus`.'),
    memory: size.optional().describe('Memory, in powers of 1024: `512k`, `512m`, `8g`, `1t`.'),
    num_gpus: wholeNumber(0).optional().describe('How many GPUs it needs for itself.'),
    gpus: wholeNumber(0).optional().describe('Another name for `num_gpus`.'),
    num_nodes: wholeNumber(1)
      .optional()
      .describe(
        'How many nodes Slurm gives it, with `--executor slurm`. The command starts on the first.',
      ),
    runtime: duration
      .optional()
      .describe('The longest it may take: ISO 8601 (`PT2H30M`), `2h30m`, `02:30:00`, or seconds.'),
  })
  .describe('What a job asks for.')

const failureRule = z
  .strictObject({
    exit_codes: z
      .array(z.number().int().min(1).max(255))
      .min(1)
      .optional()
      .describe('Exit codes, as a shell reports them (137 for SIGKILL).'),
    match_all_exit_codes: z.boolean().optional().describe('Any exit code except 0.'),
    recovery_script: z
      .string()
      .superRefine(refuseNul)
      .optional()
      .describe('Run before the job is tried again.'),
    max_retries: wholeNumber(0).optional().describe('Attempts after the first. Default 3.'),
  })
  .superRefine((rule, context) => {
    const codes = rule.exit_codes !== undefined
    if (codes === (rule.match_all_exit_codes === true)) {
      const message = `needs ${codes ? 'only one of' : ''} "exit_codes" or "match_all_exit_codes: true"`
      context.addIssue({ code: 'custom', message: message.replace('  ', ' ') })
    }
  })
  .describe('Which failures to try again. The first rule that fits counts.')

export const failureHandler = z
  .strictObject({
    name: name.describe('What jobs call it.'),
    rules: z.array(failureRule).min(1).describe('The first rule that fits counts.'),
  })
  .describe('What to do when a job fails.')

const slurmSize = z
  .union([z.string(), z.number()])
  .refine((value) => parseBytes(String(value)) !== undefined, {
    error: ({ input }) => `${JSON.stringify(input)} is not a size; write 180g`,
  })

const slurmTime = z.string().refine((text) => parseDuration(text) !== undefined, {
  error: ({ input }) => `${JSON.stringify(input)} is not a duration; write 04:00:00`,
})

export const slurmScheduler = z
  .strictObject({
    name: name.describe('What jobs and actions call it.'),
    account: z.string().optional().describe('Whom Slurm bills.'),
    partition: z.string().optional().describe('The partition.'),
    nodes: wholeNumber(1)
      .optional()
      .describe('How many nodes an allocation for workers has. Default 1.'),
    walltime: slurmTime
      .optional()
      .describe('The time limit, if the job asks for no runtime: `04:00:00`, `1-12:00:00`.'),
    mem: slurmSize
      .optional()
      .describe('Memory of each node, if the job does not ask for some itself.'),
    gres: z.string().optional().describe('Generic resources of each node: `gpu:2`.'),
    qos: z.string().optional().describe('The quality of service.'),
    ntasks_per_node: wholeNumber(1)
      .optional()
      .describe('Tasks on each node of an allocation for workers.'),
    tmp: slurmSize.optional().describe('Temporary disk space of each node.'),
    extra: z.string().optional().describe('Any other options of sbatch.'),
  })
  .describe(
    'What to ask Slurm for, with `--executor slurm`. What a job asks for itself comes first.',
  )
