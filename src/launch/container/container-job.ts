import type { Meter } from '../../meter/meter.ts'
import { saysOutOfMemory, type Outcome } from '../../model/outcome.ts'
import { ok, whyNot, type Reading } from '../../model/reading.ts'
import type { ContainerKey, EngineApi } from '../../sensors/container/engine-api.ts'
import type { Engine } from '../../sensors/container/engine-place.ts'
import type { System } from '../../system/system.ts'
import type { LaunchResult, StragglerPolicy } from '../request.ts'
import {
  clientBeside,
  containerOutcome,
  containerUsage,
  unseenUsage,
  withClientLimit,
} from './container-usage.ts'
import type { ContainerFollowing } from './container-following.ts'
import { asLeft, nothing, unknownLeft, withLeft, type Left } from './left-container.ts'
import { MeasuredRun } from './measured-run.ts'
import {
  engineFor,
  findContainer,
  reachableEngines,
  type FoundContainer,
} from './reachable-engines.ts'
import {
  labelledCommand,
  parseContainerCommand,
  taskLabel,
  type ContainerCommand,
} from './run-command.ts'

/** How long a daemon may take to tell of a container that the user named, before the job starts without it. */
const findSeconds = 1

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
  /** Those that may know the container. */
  readonly #apis: Reading<readonly EngineApi[]>
  readonly #key: ContainerKey
  /** Whose client starts the container; null where the user named one. */
  readonly #client: Engine | null
  /** The container that the user named, where it ran already. */
  #found: FoundContainer | undefined
  #notYet: string | null = null
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
    this.#client = name === null ? (parsed?.engine ?? null) : null
    this.#apis = enginesFor(tools.system, request.environment, parsed)
    this.command =
      parsed === undefined || name !== null
        ? request.command
        : labelledCommand(parsed, taskId, request.memoryLimitBytes)
  }

  get cpuPercent(): number | null {
    return this.#lately('cpuPercent')
  }

  get memoryBytes(): number | null {
    return this.#lately('memoryBytes')
  }

  #lately(figure: 'cpuPercent' | 'memoryBytes'): number | null {
    const lately = this.#run?.lately
    const value = lately?.kind === 'ok' ? lately.value[figure] : NaN
    return Number.isNaN(value) ? null : value
  }

  /** Why the container that the user named was never found; null where it was, or none was named. */
  get unfound(): string | null {
    if (!('name' in this.#key) || this.#run?.inspected !== undefined) return null
    const why = this.#apis.kind === 'ok' ? this.#run?.why : whyNot(this.#apis)
    return `container ${this.#key.name} was not measured: ${why ?? 'the job never started'}`
  }

  /** Why the container that the user named is not measured yet: the command may start it, or its name may be a typo. */
  get notYet(): string | null {
    return this.#notYet
  }

  /** To be called before the command is started: what it does at once in a container that runs already counts too. */
  async find(): Promise<void> {
    if (!('name' in this.#key)) return
    const { name } = this.#key
    if (this.#apis.kind !== 'ok') {
      this.#notYet = `container ${name} cannot be measured: ${whyNot(this.#apis)}`
      return
    }
    for (const { time } of this.#apis.value) time.limit(findSeconds)
    const found = await findContainer(this.#apis.value, name)
    if (found.kind === 'ok' && found.value.inspected.isRunning) this.#found = found.value
    // A daemon that did not answer may know it all the same.
    else if (found.kind !== 'failed')
      this.#notYet = `${found.kind === 'ok' ? `container ${name} does not run yet` : `there is no container ${name} yet`}: it is looked for while the job runs`
    for (const { time } of this.#apis.value) time.unlimit()
  }

  /** To be called when the command was started. */
  begin(following: ContainerFollowing): void {
    this.#following = following
    if (this.#apis.kind !== 'ok') return
    const found = this.#found
    this.#run =
      found === undefined
        ? new MeasuredRun(this.#tools, this.#apis.value, this.#key, following)
        : new MeasuredRun(this.#tools, [found.api], this.#key, {
            ...following,
            known: found.inspected,
          })
  }

  /** The job as it was: what the container used, and how it ended. Nothing of it is left running that was to end. */
  async conclude(client: LaunchResult, stragglers: StragglerPolicy): Promise<LaunchResult> {
    const run = this.#run
    const following = this.#following
    if (run === undefined || following === undefined) {
      const why = this.#apis.kind === 'ok' ? 'it was never started' : whyNot(this.#apis)
      const refused = await this.#refusal(undefined, client.outcome)
      return unseen(client, refused, why)
    }
    const { left, refused } = await this.#concluded(run, client, stragglers)
    const durationSeconds = left.waited ? this.#elapsed(following) : client.durationSeconds
    const usage = run.finish(durationSeconds)
    const { seenBy, inspected, engine } = run
    if (usage === undefined || seenBy === undefined) {
      const result = unseen(client, refused, refused ?? run.why)
      const outcome = withLeft(result.outcome, left, inspected?.name ?? '')
      return { ...result, durationSeconds, outcome }
    }
    const { recordedStart } = following
    const held = containerUsage(run, usage, engine, { recordedStart, durationSeconds })
    const whole = {
      ...withClientLimit(held, client.usage, inspected),
      ...clientBeside(client.usage, usage, engine),
    }
    const seen = containerOutcome(client.outcome, whole)
    return {
      ...client,
      durationSeconds,
      usage: whole,
      outcome: withLeft(seen, left, inspected?.name ?? ''),
      samples: { ...client.samples, collected: seenBy.samplesTaken, late: seenBy.lateLooks },
      outline: seenBy.outline,
    }
  }

  /** Why no container ran, as far as the exit code of the client tells. What the daemon said is in the client's own output. */
  async #refusal(
    run: MeasuredRun | undefined,
    { status, exitCode }: Outcome,
  ): Promise<string | null> {
    if (this.#client === null || status !== 'failed' || run?.inspected !== undefined) return null
    const words = refusals(this.#client).get(exitCode ?? 0)
    if (words === undefined) return null
    // A program that was started may end with any of these codes itself; 125 is mostly the client's own.
    const wasStarted = run === undefined ? null : await run.learnStart()
    return wasStarted === false || (wasStarted === null && exitCode === 125) ? words : null
  }

  /** The command has ended, and signals for it reach nobody: they end the waiting for a daemon that does not answer. */
  async #concluded(
    run: MeasuredRun,
    client: LaunchResult,
    policy: StragglerPolicy,
  ): Promise<{ readonly left: Left; readonly refused: string | null }> {
    const stop = this.#onEnding(() => run.giveUp())
    run.hurry()
    try {
      const left = await this.#awaitEnd(run, client, policy, stop)
      // What may run was not refused.
      const mayRun = left.stragglers.length > 0
      return { left, refused: mayRun ? null : await this.#refusal(run, client.outcome) }
    } finally {
      stop()
    }
  }

  #onEnding(end: () => void): () => void {
    const { processes } = this.#tools.system
    const stop = endingSignals.map((signal) => processes.onSignal(signal, end))
    return () => {
      for (const undo of stop) undo()
    }
  }

  /** A container that the user named is not the job's own: it is never ended for it. */
  async #awaitEnd(
    run: MeasuredRun,
    { outcome }: LaunchResult,
    policy: StragglerPolicy,
    stopListening: () => void,
  ): Promise<Left> {
    await run.settle(false)
    if ('name' in this.#key) return nothing
    // A client that somebody else killed has only lost its container: that runs on, as it would without us.
    const wasEnded =
      outcome.status === 'timeout' ||
      outcome.status === 'cancelled' ||
      saysOutOfMemory(outcome.reason)
    if (run.inspected === undefined) {
      const client = { wasEnded, wasKilled: outcome.signal !== null, policy }
      const left = await unknownLeft(run, client, this.#key.label)
      if (left !== undefined) return left
    }
    if (!run.isRunning) return nothing
    if (wasEnded || (policy === 'kill' && (await run.isLeft()))) {
      if (!(await run.kill()) && (await run.isLeft()))
        return { ...nothing, stragglers: [asLeft(run, ', which could not be ended')] }
      await run.settle(true)
      return { ...nothing, wasKilled: !wasEnded }
    }
    if (!(await run.isLeft())) {
      await run.settle(true)
      return nothing
    }
    if (policy === 'wait') {
      stopListening()
      await this.#untilDead(run)
      return { ...nothing, stragglers: run.isRunning ? [asLeft(run)] : [], waited: true }
    }
    return { ...nothing, stragglers: [asLeft(run)] }
  }

  /**
   * Signals end the container that is waited for. A second one ends the waiting, and so does a daemon that does not end
   * it.
   */
  async #untilDead(run: MeasuredRun): Promise<void> {
    const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<void>()
    let isAsked = false
    const end = (): void => {
      if (isAsked) return giveUp()
      isAsked = true
      void run.kill().then((isEnded) => (isEnded ? undefined : giveUp()), giveUp)
    }
    const stop = this.#onEnding(end)
    await Promise.race([run.awaitEnd(), givenUp])
    stop()
    run.giveUp()
  }

  #elapsed({ startedAt }: ContainerFollowing): number {
    return this.#tools.system.clock.monotonicSeconds() - startedAt
  }
}

/** Those that may know the container: that of the command, or any where the command does not say. */
function enginesFor(
  system: System,
  environment: ContainerJobRequest['environment'],
  parsed: ContainerCommand | undefined,
): Reading<readonly EngineApi[]> {
  if (parsed === undefined) return reachableEngines(system, environment)
  const engine = engineFor(system, environment, parsed)
  return engine.kind === 'ok' ? ok([engine.value]) : engine
}

/** A job of whose container nothing was measured, and why. Where its client was refused it, that is how the job ended. */
const unseen = (client: LaunchResult, refused: string | null, why: string): LaunchResult => ({
  ...client,
  outcome: refused === null ? client.outcome : { ...client.outcome, reason: refused },
  usage: unseenUsage(client.usage, why),
})

/** By the exit codes that clients have for what was not started. */
const refusals = (engine: Engine): ReadonlyMap<number, string> =>
  new Map([
    [125, `${engine} could not start the container; its own message says why`],
    [126, 'the program in the container cannot be run'],
    [127, 'the program was not found in the container'],
  ])
