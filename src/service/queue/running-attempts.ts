import type { JobCgroups } from '../../launch/job-cgroups.ts'
import type { JobTrace } from '../../launch/leftovers.ts'
import type { Meter } from '../../meter/meter.ts'
import { claimOf, together, type Claim } from '../../model/claim.ts'
import type { Machine } from '../../model/machine.ts'
import { queueResultText, type QueueResult } from '../../model/queue-result.ts'
import type { Columns } from '../../model/series.ts'
import type { EndedAttempt } from '../../store/postgres/queue/exchange.ts'
import type { TakenAttempt } from '../../store/postgres/queue/take.ts'
import { givenEnvironment } from '../../system/given.ts'
import type { System } from '../../system/system.ts'
import { LocalExecutor } from '../../workflow/executors/local-executor.ts'
import { Resources, type Capacity } from '../../workflow/run/capacity.ts'
import type { AttemptResult, ExecutorListener } from '../../workflow/run/executor.ts'
import { withoutCredentials } from '../team/without-credentials.ts'
import { holdAttempt, resultOf, type HeldAttempt } from './held-attempt.ts'
import type { WorkerLease } from './worker-lease.ts'
import type { WorkerLogs } from './worker-logs.ts'
import { WorkerRecords } from './worker-records.ts'

export interface WorkerMachine {
  readonly system: System
  readonly meter: Meter
  readonly cgroups: JobCgroups
  readonly ledger: string
  readonly machine: Machine
  readonly logDirectory: string
}

interface Hears {
  ended(end: EndedAttempt, lane: number, durationSeconds: number): void
  note(message: string): void
}

/** What a worker runs at the moment, each attempt recorded on this machine before anybody else hears of it. */
export class RunningAttempts implements ExecutorListener {
  /** What is free when nothing runs. */
  readonly capacity: Claim
  readonly #machine: WorkerMachine
  readonly #lease: WorkerLease
  readonly #logs: WorkerLogs
  readonly #hears: Hears
  readonly #records: WorkerRecords
  readonly #executor: LocalExecutor
  readonly #resources: Resources
  readonly #environment = withoutCredentials(givenEnvironment())
  readonly #held = new Map<string, HeldAttempt>()

  constructor(
    machine: WorkerMachine,
    capacity: Capacity,
    parts: { readonly lease: WorkerLease; readonly logs: WorkerLogs; readonly hears: Hears },
  ) {
    this.#machine = machine
    this.#lease = parts.lease
    this.#logs = parts.logs
    this.#hears = parts.hears
    this.#resources = new Resources(capacity)
    this.capacity = this.free
    const { owner } = parts.lease
    this.#records = new WorkerRecords(
      { ...machine, owner, columns: machine.meter.columns },
      parts.hears.note,
    )
    this.#executor = new LocalExecutor(machine, {
      us: owner,
      marksDirectory: parts.lease.directory,
      onLeftoversKilled: () => {},
    })
    this.#executor.tellTo(this)
  }

  get count(): number {
    return this.#held.size
  }

  get taskIds(): Iterable<string> {
    return this.#held.keys()
  }

  get free(): Claim {
    return this.#resources.freeOn(0)
  }

  /** How many of these lanes run and began no longer ago than that, and what is free when they have ended. */
  soon(
    lanes: ReadonlySet<number>,
    seconds: number,
  ): { readonly count: number; readonly free: Claim } {
    const since = this.#machine.system.clock.wallSeconds() - seconds
    const ending = [...this.#held.values()].filter(
      ({ taken, startedAt }) => lanes.has(taken.laneId) && startedAt >= since,
    )
    const free = ending.reduce(
      (sum, { taken }) => together(sum, claimOf(taken.order.requirements)),
      this.free,
    )
    return { count: ending.length, free }
  }

  fits({ order }: TakenAttempt): boolean {
    return this.#resources.fits(claimOf(order.requirements))
  }

  start(taken: TakenAttempt): void {
    const claim = claimOf(taken.order.requirements)
    const place = this.#resources.take(claim)
    const tools = {
      ...this.#machine,
      records: this.#records,
      environment: this.#environment,
      sign: this.#lease.sign,
    }
    const held = holdAttempt(tools, taken, place)
    const { taskId, stdout = '/dev/null', stderr = '/dev/null' } = held.order
    this.#held.set(taskId, held)
    this.#logs.follow(taskId, { stdout, stderr })
    this.#lease.willStart(held.order)
    this.#executor.start(held.order)
  }

  /** Those that run and were not told to. */
  newlyStarted(): string[] {
    return [...this.#held.values()].flatMap(({ isTold, order }) => (isTold ? [] : order.taskId))
  }

  /** The queue knows now that these run. */
  areTold(taskIds: readonly string[]): void {
    for (const taskId of taskIds) {
      const held = this.#held.get(taskId)
      if (held !== undefined) held.isTold = true
    }
  }

  /** As often as it was asked for; the first time the job is asked to end, the second time it is killed. */
  cancel(taskId: string, requests: number): void {
    const held = this.#held.get(taskId)
    if (held === undefined) return
    // More than twice asks for nothing more.
    const most = Math.min(requests, 2)
    for (; held.requests < most; held.requests++) this.#executor.cancel(taskId, 'SIGTERM')
  }

  /** None of them is to end by itself. */
  interruptAll(why: string, how: 'asked' | 'killed'): void {
    for (const [taskId, held] of this.#held) {
      held.interruptedBy ??= why
      this.cancel(taskId, how === 'asked' ? 1 : 2)
    }
  }

  /** From now on what has ended is on record here. */
  keepRecords(): void {
    this.#records.keep()
  }

  close(): void {
    this.#executor.close()
    this.#records.close()
  }

  accepted(taskId: string, trace: object): void {
    this.#lease.hasStarted(taskId, trace as JobTrace)
    // We may have been stopped between asking for how long we may go on and starting it.
    if (this.#lease.secondsLeft < 0) this.interruptAll('its worker lost its lease', 'killed')
  }

  started(): void {}

  sampled(taskId: string, rows: Float64Array, count: number, columns: Columns): void {
    const held = this.#held.get(taskId)
    held?.recording?.addSamples(rows, count, columns)
    held?.rows?.add(rows, count, columns)
  }

  devicesSampled(taskId: string, devices: Parameters<ExecutorListener['devicesSampled']>[1]): void {
    const held = this.#held.get(taskId)
    held?.recording?.addDevices(devices)
    held?.rows?.addDevices(devices)
  }

  ended(taskId: string, ended: AttemptResult): void {
    const held = this.#held.get(taskId)
    if (held === undefined) return
    this.#held.delete(taskId)
    // The guard kills what we may not run any longer: how it ended says nothing about the job.
    if (this.#lease.secondsLeft < 0) held.interruptedBy ??= 'its worker lost its lease'
    const told = resultOf(held, ended, this.#machine)
    const claim = claimOf(held.taken.order.requirements)
    this.#resources.giveBack(claim, held.place)
    this.#lease.hasEnded(taskId)
    for (const problem of held.recording?.problems ?? []) this.#hears.note(problem)
    const { status, exitCode, reason } = told.result.outcome
    const end = { taskId, status, exitCode, reason: reason?.slice(0, mostReason) ?? null }
    this.#hears.ended(
      { ...end, result: resultText(told) },
      held.taken.laneId,
      ended.durationSeconds,
    )
  }

  gone(): void {}
  unknown(): void {}

  note(message: string): void {
    this.#hears.note(message)
  }

  trouble(message: string): void {
    this.#hears.note(message)
  }
}

/** The queue keeps 64 KiB of a reason and 16 MiB of a result; only samples of very many devices need more. */
const mostReason = 16_000
const mostResult = 4_000_000

function resultText(told: QueueResult): string {
  const text = queueResultText(told)
  if (text.length <= mostResult) return text
  const { startedAt, user, machine, result } = told
  return queueResultText({ startedAt, user, machine, result })
}
