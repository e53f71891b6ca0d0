import { namedWithKills } from '../../../launch/ending.ts'
import type { Meter } from '../../../meter/meter.ts'
import { describeJob } from '../../../model/describe-job.ts'
import type { Machine, Owner } from '../../../model/machine.ts'
import type { Reading } from '../../../model/reading.ts'
import { failed, ok } from '../../../model/reading.ts'
import type { AttemptEnd, AttemptStart } from '../../../store/ledger/store.ts'
import { endOf } from '../../../store/ledger/attempt-record.ts'
import { SpoolFile } from '../../../store/spool/spool-file.ts'
import { syncFile } from '../../../system/claim-file.ts'
import type { System } from '../../../system/system.ts'
import type { AttemptOrder, AttemptResult, Executor, ExecutorListener } from '../../run/executor.ts'
import type { AttemptFolder } from './attempt-folder.ts'
import { environmentThere } from './site-environment.ts'

/** A sign of life is given so often. */
const beatSeconds = 5
/** Requests to end are looked for so often: a call to end should take no longer than people wait. */
const lookSeconds = 0.25

interface HostTools {
  readonly system: System
  readonly meter: Meter
  /** Runs what is taken: the same one that runs jobs of local workflows. */
  readonly executor: Executor
  readonly us: Owner
  readonly machine: Machine
  readonly environment: Readonly<Record<string, string | undefined>>
  /** How many processes the kernel has killed for memory in the cgroup that we are in; NaN where nobody knows. */
  readonly memoryKills: () => number
  /** Put into claims. */
  readonly site: Readonly<Record<string, string>>
}

interface Taken {
  readonly folder: AttemptFolder
  readonly start: AttemptStart
  readonly spool: SpoolFile
  readonly killsBefore: number
  /** Another ran at the same time, in the same cgroup. */
  hadCompany: boolean
  /** Requests to end it that were passed on. */
  requests: number
  beatAt: number
  readonly over: (end: AttemptEnd) => void
}

/**
 * Runs attempts that were ordered elsewhere, each in its folder: takes it, writes down that it starts, its samples and its
 * end, gives signs of life and looks for requests to end it.
 */
export class AttemptHost implements ExecutorListener {
  readonly #tools: HostTools
  readonly #taken = new Map<string, Taken>()
  #stopLooking: (() => void) | undefined

  constructor(tools: HostTools) {
    this.#tools = tools
    tools.executor.tellTo(this)
  }

  get running(): number {
    return this.#taken.size
  }

  /** Runs what lies in a folder, if nobody else has it. \`environment\` is that of this place, for this attempt. */
  run(
    folder: AttemptFolder,
    order: AttemptOrder,
    environment = this.#tools.environment,
  ): Reading<Promise<AttemptEnd> | 'taken'> {
    const claimed = folder.claim({ kind: 'taken', by: this.#tools.us, site: this.#tools.site })
    if (claimed.kind !== 'ok') return claimed
    if (!claimed.value) return ok('taken')
    const now = this.#tools.system.clock.wallSeconds()
    const start = this.#startOf(order, now)
    const there = environmentThere(order.environment, environment, order.requirements)
    const spool = new SpoolFile(folder.path, start, {
      tryLock: this.#tools.system.files.tryLock,
      columns: this.#tools.meter.columns,
      places: [{ directory: folder.path, guard: null }],
    })
    if (spool.path === undefined) {
      folder.release()
      return failed(`nothing can be written to ${folder.path}: ${spool.trouble?.message ?? ''}`)
    }
    const hadCompany = this.#taken.size > 0
    for (const other of this.#taken.values()) other.hadCompany = true
    const killsBefore = this.#tools.memoryKills()
    const done = new Promise<AttemptEnd>((over) => {
      const facts = { folder, start, spool, killsBefore, hadCompany }
      this.#taken.set(folder.taskId, { ...facts, requests: 0, beatAt: now, over })
    })
    this.#tools.executor.start({ ...order, environment: there, recordedStart: now })
    this.#stopLooking ??= this.#lookLater()
    return ok(done)
  }

  /** A signal to us is for all that runs here; one that comes again is the same request. */
  endAll(signal: NodeJS.Signals): void {
    for (const taken of this.#taken.values()) this.#end(taken, { request: 1, signal })
  }

  accepted(): void {}
  started(): void {}
  gone(): void {}
  unknown(): void {}

  sampled(taskId: string, rows: Float64Array, count: number): void {
    this.#write(taskId, ({ spool }) => spool.add(rows, count))
  }

  devicesSampled(taskId: string, devices: Parameters<ExecutorListener['devicesSampled']>[1]): void {
    this.#write(taskId, ({ spool }) => {
      for (const rows of devices) spool.addDevice(rows)
    })
  }

  ended(taskId: string, result: AttemptResult): void {
    const taken = this.#taken.get(taskId)
    if (taken === undefined) return
    this.#taken.delete(taskId)
    const { wallSeconds } = this.#tools.system.clock
    const { machine } = this.#tools
    const outcome = namedWithKills(result.outcome, this.#killsOf(taken))
    const told = { ...result, outcome, endedAt: result.endedAt ?? wallSeconds(), machine }
    const end = endOf(taken.start, told)
    try {
      taken.spool.finish(end)
      syncFile(taken.folder.recordPath)
    } catch (error) {
      this.note(`how task ${taskId} ended could not be written: ${String(error)}`)
    }
    if (this.#taken.size === 0) {
      this.#stopLooking?.()
      this.#stopLooking = undefined
    }
    taken.over(end)
  }

  /** For the log of whoever runs us. */
  note(message: string): void {
    this.#tools.system.output.write(2, `jobmeter: ${message}\n`)
  }

  trouble(message: string): void {
    this.note(message)
  }

  #startOf(order: AttemptOrder, startedAt: number): AttemptStart {
    const { machine, us, system } = this.#tools
    const { taskId, command, environment, requirements, workingDirectory, intervalSeconds } = order
    const name = environment['JOBMETER_JOB_NAME']
    return {
      job: describeJob(command, { name, requirements, workingDirectory }),
      taskId,
      user: system.host.user,
      machine,
      owner: us,
      startedAt,
      intervalSeconds,
    }
  }

  /** Whose process it was that was killed cannot be told where several ran at once. */
  #killsOf({ killsBefore, hadCompany }: Taken): number {
    return hadCompany ? 0 : Math.max(0, this.#tools.memoryKills() - killsBefore || 0)
  }

  /** Samples that cannot be written are lost; the job goes on, and its end may find room. */
  #write(taskId: string, write: (taken: Taken) => void): void {
    const taken = this.#taken.get(taskId)
    if (taken === undefined) return
    try {
      write(taken)
    } catch (error) {
      this.note(`samples of task ${taskId} are lost: ${String(error)}`)
    }
  }

  #lookLater(): () => void {
    return this.#tools.system.clock.after(lookSeconds, () => {
      this.#look()
      this.#stopLooking = this.#lookLater()
    })
  }

  #look(): void {
    const now = this.#tools.system.clock.wallSeconds()
    for (const taken of this.#taken.values()) {
      const asked = taken.folder.endRequest()
      if (asked !== undefined) this.#end(taken, asked)
      if (now - taken.beatAt >= beatSeconds || now < taken.beatAt) this.#beat(taken, now)
    }
  }

  #end(taken: Taken, { request, signal }: { request: number; signal: NodeJS.Signals }): void {
    for (; taken.requests < request; taken.requests++)
      this.#tools.executor.cancel(taken.folder.taskId, signal, taken.requests + 1)
  }

  #beat(taken: Taken, now: number): void {
    taken.beatAt = now
    try {
      taken.spool.beat(now)
    } catch {
      // The next one may do; a lost disk is told where it costs something.
    }
  }
}
