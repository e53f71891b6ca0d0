import { removeUnstarted } from './end-container.ts'
import type { Meter } from '../../meter/meter.ts'
import type { Straggler } from '../../model/outcome.ts'
import { unavailable, whyNot, type Reading } from '../../model/reading.ts'
import {
  openEngine,
  type ContainerKey,
  type EngineApi,
} from '../../sensors/container/engine-api.ts'
import { engines, engineSockets, socketOf } from '../../sensors/container/engine-place.ts'
import type { System } from '../../system/system.ts'
import type { LaunchResult, StragglerPolicy } from '../request.ts'
import { clientBeside, containerOutcome, containerUsage, unseenUsage } from './container-usage.ts'
import type { ContainerFollowing } from './container-following.ts'
import { MeasuredRun } from './measured-run.ts'
import {
  labelledCommand,
  parseContainerCommand,
  taskLabel,
  type ContainerCommand,
} from './run-command.ts'

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export interface ContainerJobRequest {
  readonly taskId: string
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly memoryLimitBytes: number | null
  /** A container that the user names; null where the command says which. */
  readonly inContainerOf: string | null
}

/** A job whose work is done by a daemon in a container: that is measured in place of the command that asks for it. */
export class ContainerJob {
  /** What to start. */
  readonly command: readonly string[]
  readonly #tools: { readonly system: System; readonly meter: Meter }
  readonly #api: Reading<EngineApi>
  readonly #key: ContainerKey
  #run: MeasuredRun | undefined
  #following: ContainerFollowing | undefined

  /** undefined for a command that runs no container. */
  static of(
    tools: { readonly system: System; readonly meter: Meter },
    request: ContainerJobRequest,
  ): ContainerJob | undefined {
    const parsed = parseContainerCommand(request.command)
    return parsed === undefined && request.inContainerOf === null
      ? undefined
      : new ContainerJob(tools, request, parsed)
  }

  private constructor(
    tools: { readonly system: System; readonly meter: Meter },
    request: ContainerJobRequest,
    parsed: ContainerCommand | undefined,
  ) {
    const { taskId, inContainerOf: name } = request
    this.#tools = tools
    this.#key = name === null ? { label: taskLabel(taskId) } : { name }
    this.#api = engineFor(tools.system, request.environment, parsed)
    this.command =
      parsed === undefined || name !== null
        ? request.command
        : labelledCommand(parsed, taskId, request.memoryLimitBytes)
  }

  get cpuPercent(): number | null {
    const percent = this.#run?.seenBy?.seen.cpuPercent ?? NaN
    return Number.isNaN(percent) ? null : percent
  }

  get memoryBytes(): number | null {
    return this.#run?.seenBy?.seen.memoryBytes ?? null
  }

  /** Why the container that the user named was never found; null where it was, or none was named. */
  get unfound(): string | null {
    if (!('name' in this.#key) || this.#run?.inspected !== undefined) return null
    const why = this.#api.kind === 'ok' ? this.#run?.why : whyNot(this.#api)
    return `container ${this.#key.name} was not measured: ${why ?? 'the job never started'}`
  }

  /** To be called when the command was started. */
  begin(following: ContainerFollowing): void {
    this.#following = following
    if (this.#api.kind === 'ok')
      this.#run = new MeasuredRun(this.#tools, this.#api.value, this.#key, following)
  }

  /** The job as it was: what the container used, and how it ended. Nothing of it is left running that was to end. */
  async conclude(client: LaunchResult, stragglers: StragglerPolicy): Promise<LaunchResult> {
    const run = this.#run
    const following = this.#following
    if (run === undefined || following === undefined) {
      const why = this.#api.kind === 'ok' ? 'it was never started' : whyNot(this.#api)
      return { ...client, usage: unseenUsage(client.usage, why) }
    }
    const left = await this.#awaitEnd(run, client, stragglers)
    const durationSeconds = left.waited ? this.#elapsed(following) : client.durationSeconds
    const usage = run.finish(durationSeconds)
    const { seenBy, inspected } = run
    if (usage === undefined || seenBy === undefined)
      return { ...client, usage: unseenUsage(client.usage, run.why) }
    const engine = this.#api.kind === 'ok' ? this.#api.value.engine : 'docker'
    const whole = {
      ...containerUsage(run, usage, engine, {
        recordedStart: following.recordedStart,
        durationSeconds,
      }),
      ...clientBeside(client.usage, usage, engine),
    }
    const outcome = containerOutcome(client.outcome, whole, inspected?.limits.memoryBytes ?? null)
    return {
      ...client,
      durationSeconds,
      usage: whole,
      outcome: { ...outcome, stragglers: [...outcome.stragglers, ...left.stragglers] },
      samples: { ...client.samples, collected: seenBy.samplesTaken, late: seenBy.lateLooks },
      outline: seenBy.outline,
    }
  }

  /** A container that the user named is not the job's own: it is never ended for it. */
  async #awaitEnd(
    run: MeasuredRun,
    { outcome }: LaunchResult,
    policy: StragglerPolicy,
  ): Promise<{ readonly stragglers: readonly Straggler[]; readonly waited: boolean }> {
    const nothing = { stragglers: [], waited: false }
    await run.settle(false)
    if ('name' in this.#key) return nothing
    const wasEnded =
      outcome.signal !== null || outcome.status === 'timeout' || outcome.status === 'cancelled'
    if (wasEnded && run.inspected === undefined && this.#api.kind === 'ok')
      await removeUnstarted(this.#api.value, this.#key.label)
    if (!run.isRunning) return nothing
    if (wasEnded || (policy === 'kill' && (await run.isLeft()))) {
      if (!(await run.kill()) && (await run.isLeft()))
        return { stragglers: [asLeft(run)], waited: false }
      await run.settle(true)
      return nothing
    }
    if (!(await run.isLeft())) {
      await run.settle(true)
      return nothing
    }
    if (policy === 'wait') {
      await this.#untilDead(run)
      return { stragglers: [], waited: true }
    }
    return { stragglers: [asLeft(run)], waited: false }
  }

  /** The command has ended, and signals for it reach nobody: they end the container. */
  async #untilDead(run: MeasuredRun): Promise<void> {
    const { processes } = this.#tools.system
    const stop = endingSignals.map((signal) => processes.onSignal(signal, () => void run.kill()))
    await run.died
    for (const undo of stop) undo()
  }

  #elapsed({ startedAt }: ContainerFollowing): number {
    return this.#tools.system.clock.monotonicSeconds() - startedAt
  }
}

function asLeft({ inspected }: MeasuredRun): Straggler {
  const { pid, name = '', image = '' } = inspected ?? {}
  return { pid: pid ?? 0, command: `container ${name} of ${image}` }
}

/** The daemon that a command talks to, or any where the command does not say. */
export function engineFor(
  { files }: System,
  environment: ContainerJobRequest['environment'],
  parsed: ContainerCommand | undefined,
): Reading<EngineApi> {
  if (parsed === undefined) return anyEngine(files, environment)
  const { engine, host, context } = parsed
  if (host !== null) return openEngine(files, engine, socketOf(host, 'the command'))
  const named = context ?? (engine === 'docker' ? environment['DOCKER_CONTEXT'] : undefined)
  if (named !== undefined && named !== 'default')
    return unavailable(`the daemon is named by the context ${named}, which only ${engine} knows`)
  return openEngine(files, engine, engineSockets(engine, environment))
}

/** The first engine that is there. */
export function anyEngine(
  files: System['files'],
  environment: Readonly<Record<string, string | undefined>>,
): Reading<EngineApi> {
  let first: Reading<EngineApi> | undefined
  for (const engine of engines) {
    const found = openEngine(files, engine, engineSockets(engine, environment))
    if (found.kind === 'ok') return found
    first ??= found
  }
  return first ?? unavailable('there is no engine')
}
