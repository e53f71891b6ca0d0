import type { JobCgroups } from '../../launch/job-cgroups.ts'
import { launch, launchAside, mayRunContainer, type Launched } from '../../launch/launch.ts'
import { killLeftovers, parseTrace } from '../../launch/leftovers.ts'
import type { LaunchRequest, LaunchResult } from '../../launch/request.ts'
import type { RunningJob } from '../../launch/running-job.ts'
import { endStrays } from '../../launch/strays.ts'
import type { Meter } from '../../meter/meter.ts'
import type { Owner } from '../../model/machine.ts'
import { marksName } from '../../store/spool/spool-names.ts'
import type { System } from '../../system/system.ts'
import type {
  AttemptOrder,
  AttemptResult,
  Executor,
  ExecutorListener,
  LeftAttempt,
  LiveFigures,
} from '../run/executor.ts'
import { neverStarted } from './never-started.ts'

/**
 * Where so many jobs one after the other were as short as this, waiting for each to begin would take as long as they do. Else
 * it is worth the wait: what others must know of a job, should we be killed, is then noted as soon as it is there.
 */
const shortSeconds = 0.05
const severalInARow = 4

/** Where there is no room for a job, it is tried again after so long, */
const againSeconds = 0.5
/** and, where nothing of ours runs whose end would make room, for so long. */
const patienceSeconds = 30

interface LocalMachine {
  readonly system: System
  readonly meter: Meter
  readonly cgroups: JobCgroups
}

interface LocalSettings {
  readonly us: Owner
  /** Where jobs may write marks, each to a file of its own; without it they are told of none. */
  readonly marksDirectory?: string
  /** Hears which processes of a killed runner's jobs were ended. */
  readonly onLeftoversKilled: (pids: readonly number[]) => void
}

/** Runs attempts as children of this process. Nothing that it tells gets lost, so there is no need to ask. */
export class LocalExecutor implements Executor {
  readonly asking = null
  readonly #machine: LocalMachine
  readonly #settings: LocalSettings
  readonly #live = new Map<string, RunningJob>()
  /** Signals for those that are just being started. */
  readonly #early = new Map<string, NodeJS.Signals[]>()
  /** Those that found no room, until one of the others has ended. */
  readonly #waiting: AttemptOrder[] = []
  #stopWaiting: (() => void) | undefined
  /** Since when nothing could be started; NaN where something could. */
  #noRoomSince = Number.NaN
  /** Those that had to wait. */
  readonly #late = new Set<string>()
  /** How many were started and have not ended, or are being started. */
  #underWay = 0
  #listener: ExecutorListener = nobody
  #shortInARow = 0

  constructor(machine: LocalMachine, settings: LocalSettings) {
    this.#machine = machine
    this.#settings = settings
  }

  tellTo(listener: ExecutorListener): void {
    this.#listener = listener
  }

  start(order: AttemptOrder): void {
    this.#underWay += 1
    const { system, meter, cgroups } = this.#machine
    const { taskId } = order
    const request: LaunchRequest = {
      ...order,
      isOneOfMany: true,
      ...this.#marksOf(taskId),
      onSamples: (rows, count, columns) => this.#listener.sampled(taskId, rows, count, columns),
      onDevices: (devices) => this.#listener.devicesSampled(taskId, devices),
      onLogTrouble: (message) => this.#listener.trouble(message),
      onStarted: (trace) => this.#listener.accepted(taskId, trace),
    }
    if (mayRunContainer(order.command)) {
      void this.#startContained(order, request)
      return
    }
    // Who starts a job in a cgroup steps into it for a moment, with whatever another thread starts meanwhile.
    if (order.besideCgroups || this.#shortInARow < severalInARow)
      this.#launched(order, launch(system, meter, cgroups, request))
    else launchAside(system, meter, request, (launched) => this.#launched(order, launched))
  }

  #marksOf(taskId: string): { readonly marksPath?: string } {
    const { marksDirectory } = this.#settings
    return marksDirectory === undefined
      ? {}
      : { marksPath: `${marksDirectory}/${marksName(taskId)}` }
  }

  /** The code for it is loaded when the first such job starts. */
  async #startContained(order: AttemptOrder, request: LaunchRequest): Promise<void> {
    const { system, meter, cgroups } = this.#machine
    const { launchContained } = await import('../../launch/container/launch-contained.ts')
    const { launched, ...contained } = await launchContained(system, meter, cgroups, request)
    this.#launched(order, launched, contained)
  }

  cancel(taskId: string, signal: NodeJS.Signals): void {
    const job = this.#live.get(taskId)
    const waiting = this.#waiting.findIndex((order) => order.taskId === taskId)
    if (job !== undefined) job.signal(signal, false)
    else if (waiting >= 0) this.#endUnstarted(this.#waiting.splice(waiting, 1), signal)
    else this.#early.set(taskId, [...(this.#early.get(taskId) ?? []), signal])
  }

  /** A job's exit code goes to its parent, which is dead: all that can be done for it is to end it. */
  adopt(left: readonly LeftAttempt[]): readonly LeftAttempt[] {
    const killed = endLocalLeftovers(this.#machine.system, this.#settings.us, left)
    if (killed.length > 0) this.#settings.onLeftoversKilled(killed)
    return []
  }

  close(): void {
    this.#stopWaiting?.()
    endStrays(this.#machine.system, this.#machine.meter)
  }

  #launched(
    order: AttemptOrder,
    launched: Launched,
    contained?: { readonly done: Promise<LaunchResult>; readonly figures: LiveFigures },
  ): void {
    const { taskId } = order
    if (launched.kind === 'not-started' && launched.forWantOfRoom && this.#mayWait()) {
      this.#underWay -= 1
      this.#waitForRoom(order)
      return
    }
    if (launched.kind === 'running') {
      this.#noRoomSince = Number.NaN
      // There was room for one that had waited: perhaps for the next as well.
      if (this.#late.has(taskId)) queueMicrotask(() => this.#startWaiting())
      this.#live.set(taskId, launched.job)
      this.#listener.started(taskId, contained?.figures ?? launched.job)
      for (const signal of this.#early.get(taskId) ?? []) launched.job.signal(signal, false)
    }
    this.#early.delete(taskId)
    // Always later, so that ten thousand commands that are not there do not end inside one another.
    const done = launched.kind === 'running' ? launched.job.done : Promise.resolve(launched.result)
    void (contained?.done ?? done).then((result) => {
      this.#live.delete(taskId)
      this.#underWay -= 1
      this.#shortInARow = result.durationSeconds < shortSeconds ? this.#shortInARow + 1 : 0
      if (result.markTrouble !== undefined)
        this.#listener.trouble(
          `some marks of task ${taskId.slice(0, 12)} are not kept: ${result.markTrouble}`,
        )
      this.#listener.ended(taskId, this.#late.delete(taskId) ? this.#endedNow(result) : result)
      this.#startWaiting()
      return undefined
    })
  }

  /** The end of another makes room, here or elsewhere on the machine. */
  #mayWait(): boolean {
    const now = this.#machine.system.clock.monotonicSeconds()
    if (Number.isNaN(this.#noRoomSince)) this.#noRoomSince = now
    return this.#underWay > 1 || now - this.#noRoomSince < patienceSeconds
  }

  #waitForRoom(order: AttemptOrder): void {
    // One that was tried again stays the first.
    if (this.#late.has(order.taskId)) this.#waiting.unshift(order)
    else this.#waiting.push(order)
    this.#stopWaiting ??= this.#machine.system.clock.after(againSeconds, () => {
      this.#stopWaiting = undefined
      this.#startWaiting()
    })
  }

  #startWaiting(): void {
    const order = this.#waiting.shift()
    if (order === undefined) return
    this.#late.add(order.taskId)
    this.start({ ...order, recordedStart: this.#machine.system.clock.wallSeconds() })
  }

  /** They will not start any more. Told later, as all ends are. */
  #endUnstarted(orders: readonly AttemptOrder[], signal: NodeJS.Signals): void {
    for (const { taskId, intervalSeconds } of orders) {
      const result = neverStarted(
        'cancelled',
        `cancelled by ${signal} before it started`,
        intervalSeconds,
      )
      queueMicrotask(() => this.#listener.ended(taskId, this.#endedNow(result)))
    }
  }

  #endedNow(result: LaunchResult): AttemptResult {
    return { ...result, endedAt: this.#machine.system.clock.wallSeconds() }
  }
}

/** Ends what is left of these on this machine, as `us`; answers the processes. */
export function endLocalLeftovers(
  system: System,
  us: Owner,
  left: readonly LeftAttempt[],
): readonly number[] {
  const sameTable = ({ owner }: LeftAttempt): boolean => owner.pidNamespace === us.pidNamespace
  const here = left.filter(
    (each) => each.owner.bootId === us.bootId && (!each.isScript || sameTable(each)),
  )
  // Pids of another namespace name other processes here.
  const traces = here.filter(sameTable).flatMap(({ note }) => parseTrace(note ?? '') ?? [])
  return killLeftovers(system, new Set(here.map(({ taskId }) => taskId)), traces)
}

const nobody: ExecutorListener = {
  accepted: () => {},
  started: () => {},
  sampled: () => {},
  devicesSampled: () => {},
  ended: () => {},
  gone: () => {},
  unknown: () => {},
  note: () => {},
  trouble: () => {},
}
