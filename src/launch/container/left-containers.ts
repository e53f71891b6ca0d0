import { whyNot } from '../../model/reading.ts'
import { engineVariables } from '../../sensors/container/engine-place.ts'
import type { System } from '../../system/system.ts'
import { engineFor } from './container-job.ts'
import { endContainer } from './end-container.ts'
import { parseContainerCommand, taskLabel } from './run-command.ts'

/** A job whose runner was killed. */
export interface LeftJob {
  readonly taskId: string
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * What must be noted of a job, so that others can end its container after whoever runs it was killed: no more than that, for
 * there may be secrets among its words and variables. Undefined for a job that runs none.
 */
export function leftJobOf({ taskId, command, environment }: LeftJob): LeftJob | undefined {
  const parsed = parseContainerCommand(command)
  if (parsed === undefined) return undefined
  const variables = engineVariables.map((name) => [name, environment[name]] as const)
  return { taskId, command: parsed.before, environment: Object.fromEntries(variables) }
}

export interface LeftContainers {
  /** Ids of those that were ended. */
  readonly ended: readonly string[]
  /** Ids of those that run on, though they were to end. */
  readonly running: readonly string[]
  /** Why a daemon could not be asked. */
  readonly unasked: readonly string[]
}

/**
 * Ends the containers of jobs whose runner was killed. They are found by the label that jobmeter gave them: their processes
 * may be another user's, and need not have the job's mark in their environment.
 */
export async function endLeftContainers(
  system: System,
  jobs: readonly LeftJob[],
): Promise<LeftContainers> {
  const [ended, running, unasked]: [string[], string[], Set<string>] = [[], [], new Set()]
  for (const job of jobs) {
    const parsed = parseContainerCommand(job.command)
    if (parsed === undefined) continue
    const api = engineFor(system, job.environment, parsed)
    if (api.kind !== 'ok') {
      unasked.add(whyNot(api))
      continue
    }
    const found = await api.value.living(taskLabel(job.taskId))
    if (found.kind !== 'ok') {
      unasked.add(whyNot(found))
      continue
    }
    for (const id of found.value)
      ((await endContainer(system, api.value, id)) ? ended : running).push(id)
  }
  return { ended, running, unasked: [...unasked] }
}
