import { ok, whyNot, type Reading } from '../../model/reading.ts'
import type { EngineApi } from '../../sensors/container/engine-api.ts'
import { engineVariables } from '../../sensors/container/engine-place.ts'
import type { System } from '../../system/system.ts'
import { endContainer, endUnstarted, type EndedUnstarted } from './end-container.ts'
import { engineFor } from './reachable-engines.ts'
import { parseContainerCommand, taskLabel } from './run-command.ts'

/** A job that may have left a container. */
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
  /** Ids of those that run on, or may still start, though they were to end. */
  readonly running: readonly string[]
  /** Why a daemon could not be asked. */
  readonly unasked: readonly string[]
  /** Of which jobs it could not. */
  readonly unaskedTaskIds: readonly string[]
}

/**
 * Ends the containers of jobs that are over, or whose runner was killed. They are found by the label that jobmeter gave them: their processes
 * may be another user's, and need not have the job's mark in their environment. A daemon that does not answer for one job is not
 * asked for the others: that would take as long for each.
 */
export async function endLeftContainers(
  system: System,
  jobs: readonly LeftJob[],
): Promise<LeftContainers> {
  const [ended, running, unaskedTaskIds]: [string[], string[], string[]] = [[], [], []]
  const unasked = new Set<string>()
  const engines = new Map<string, Reading<EngineApi>>()
  for (const job of jobs) {
    const parsed = parseContainerCommand(job.command)
    if (parsed === undefined) continue
    const { engine, host, context, config } = parsed
    const variables = engineVariables.map((name) => job.environment[name] ?? null)
    const place = JSON.stringify([engine, host, context, config, variables])
    const api = engines.get(place) ?? engineFor(system, job.environment, parsed)
    engines.set(place, api)
    const left = api.kind === 'ok' ? await endAllOf(system, api.value, taskLabel(job.taskId)) : api
    if (left.kind !== 'ok') {
      unasked.add(whyNot(left))
      unaskedTaskIds.push(job.taskId)
      engines.set(place, left)
      continue
    }
    ended.push(...left.value.ended)
    running.push(...left.value.left)
  }
  return { ended, running, unasked: [...unasked], unaskedTaskIds }
}

/** Those that are being started first: they may run by the time that it is asked who runs. */
async function endAllOf(
  system: System,
  api: EngineApi,
  label: string,
): Promise<Reading<EndedUnstarted>> {
  const unstarted = await endUnstarted(system, api, label)
  if (unstarted.kind !== 'ok') return unstarted
  const living = await api.living(label)
  if (living.kind !== 'ok') return living
  const ended = [...unstarted.value.ended]
  const left = new Set(unstarted.value.left)
  for (const id of living.value) {
    if (left.has(id) || ended.includes(id)) continue
    if (await endContainer(system, api, id)) ended.push(id)
    else left.add(id)
  }
  return ok({ ended, left: [...left] })
}
