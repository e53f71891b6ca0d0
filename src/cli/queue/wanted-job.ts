import { resolve } from 'node:path'
import type { WantedJob } from '../../service/queue/submission.ts'
import { UserError } from '../../service/user-error.ts'
import { parseParams } from '../run/params.ts'
import type { OptionValues } from '../command/define.ts'
import type { jobOptions, submitDefinition } from './submit-definition.ts'

type Options = Pick<OptionValues<typeof submitDefinition>, keyof typeof jobOptions>

/** What the options say of a job. */
export function wantedJob(
  command: readonly string[],
  options: Options,
  after: string | null,
): WantedJob {
  const workingDirectory = resolve(options.directory ?? '.')
  refuseLostBytes([workingDirectory, ...options.env, ...options.labels])
  return {
    command,
    known: {
      workingDirectory,
      name: options.name,
      params: parseParams(options.param),
      tags: options.tag,
      requirements: {
        cpus: options.cpus ?? null,
        memoryBytes: options.memory ?? null,
        gpus: options.gpus ?? null,
        runtimeSeconds: options.runtime ?? null,
      },
    },
    environment: variables(options.env),
    // As a variable that is not set leaves it: no worker has a label without a name.
    labels: options.labels.filter((label) => label !== ''),
    image: '',
    timeoutSeconds: options.timeout ?? null,
    memoryLimitBytes: options['memory-limit'] ?? null,
    graceSeconds: options.grace,
    priority: options.priority,
    retries: options.retries,
    interruptions: options.interruptions,
    after,
  }
}

/** Node reads U+FFFD for bytes that are not UTF-8: another folder or value than was meant would reach the worker. */
function refuseLostBytes(texts: readonly string[]): void {
  const lost = texts.find((text) => text.includes('\ufffd'))
  if (lost !== undefined)
    throw new UserError(
      `"${lost}" is not UTF-8, and cannot be passed to a worker: only the words of the command may be any bytes`,
      'usage',
    )
}

function variables(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=')
      if (equals > 0) return [pair.slice(0, equals), pair.slice(equals + 1)]
      throw new UserError(
        `--env "${pair}" is not NAME=VALUE. Example: --env OMP_NUM_THREADS=4`,
        'usage',
      )
    }),
  )
}
