import type { FollowedJob } from '../meter/followed-job.ts'
import type { Meter } from '../meter/meter.ts'
import type { Usage } from '../model/usage.ts'
import type { Straggler } from '../model/outcome.ts'
import { taskMark } from '../model/task-mark.ts'
import { readCommand } from '../sensors/procfs/cmdline.ts'
import type { ChildEnd, ChildWatcher, JobLogs, Started, System } from '../system/system.ts'
import { keyWaitSeconds, nameOutcome, type EndedBy } from './ending.ts'
import type { JobCgroup } from './job-cgroup.ts'
import { JobProcesses } from './job-processes.ts'
import { MarkWatch } from './mark-watch.ts'
import { MemoryLimit } from './memory-limit.ts'
import { recentOwnCpuSeconds } from './own-cpu.ts'
import type { LaunchRequest, LaunchResult, StragglerPolicy } from './request.ts'
import { unwatchedUsage } from './unwatched-usage.ts'

/** How often a limit is checked that no kernel enforces for us. */
const watchedLimitSeconds = 0.2
/** Time for processes that are just ending to be gone before they are called stragglers. */
const dyingSeconds = 0.05
/** A job that lasts so long joins a v2 cgroup, where it did not begin in one. */
const joinSeconds = 0.2
/** Or that has so many processes before that: each takes 30 µs to move, and those that are still to come are born there. */
const joinProcesses = 8
/**
 * A job that lasts so long has logs with names, empty or not: whoever follows it finds them, and what it writes outlives
 * us if we are killed. Sooner would cost short jobs more than they take themselves.
 */
const nameLogsSeconds = 0.1
/** A job that lasted so long leaves time to clear up after others. */
const tidySeconds = 0.05

/** A job that has been started: it is followed, held to its limits, and its end is named. */
export class RunningJob implements ChildWatcher {
  readonly done: Promise<LaunchResult>
  #resolve: (result: LaunchResult) => void = () => {}
  readonly #system: System
  readonly #meter: Meter
  readonly #request: LaunchRequest
  readonly #cgroup: JobCgroup | null
  readonly #startedAt: number
  readonly #ownCpuAtStart: number
  #pid = 0
  #limit: MemoryLimit | undefined
  #logs: JobLogs | undefined
  #followed: FollowedJob | undefined
  #processes: JobProcesses | undefined
  #end: ChildEnd | undefined
  #endedBy: EndedBy | null = null
  /** It may have ended by a key whose signal has not reached us. */
  #awaitsKey = false
  /** Killed because they outlived the main process. */
  readonly #endedAfterIt = new Set<number>()
  /** It had so many processes that it was to join v2 at once. */
  #hasMany = false
  #timers: (() => void)[] = []
  #done = false
  #durationSeconds = 0
  readonly #recordedStart: number
  #marks: MarkWatch | undefined

  constructor(system: System, meter: Meter, request: LaunchRequest, cgroup: JobCgroup | null) {
    this.#system = system
    this.#meter = meter
    this.#request = request
    this.#cgroup = cgroup
    this.#startedAt = system.clock.monotonicSeconds()
    this.#recordedStart = request.recordedStart ?? system.clock.wallSeconds()
    this.#ownCpuAtStart = recentOwnCpuSeconds(system)
    this.done = new Promise((resolve) => (this.#resolve = resolve))
  }

  /** As of the last look; null before the first, and where the job is not watched. */
  get cpuPercent(): number | null {
    const percent = this.#followed?.seen.cpuPercent ?? NaN
    return Number.isNaN(percent) ? null : percent
  }

  get memoryBytes(): number | null {
    const bytes = this.#followed?.seen.memoryBytes ?? NaN
    return Number.isNaN(bytes) ? null : bytes
  }

  /** Who is still there after the end of the main process; null before. */
  get left(): readonly Straggler[] | null {
    return this.#end === undefined ? null : this.#named(this.#followed?.livingPids() ?? [])
  }

  /** To be called as soon as the process is there. */
  begin({ pid, logs, brand }: Started): void {
    this.#pid = pid
    this.#logs = logs
    if (logs !== undefined) this.#after(nameLogsSeconds, () => logs.name())
    const { memoryLimitBytes: limit, timeoutSeconds, intervalSeconds, marksPath } = this.#request
    if (marksPath !== undefined) this.#marks = new MarkWatch(this.#system, marksPath)
    if (limit !== null) this.#limit = new MemoryLimit(limit, this.#cgroup)
    const followed = this.#follow(this.#limit?.watchedBytes ?? null, brand ?? null)
    this.#followed = followed
    this.#processes = new JobProcesses({
      system: this.#system,
      meter: this.#meter,
      cgroup: this.#cgroup,
      followed,
      pid,
      hasOwnGroup: this.#request.group === 'own',
    })
    this.#tellTrace()
    // What is not measured needs no better counters.
    if (intervalSeconds !== null && this.#cgroup?.joinsLater)
      this.#after(joinSeconds, () => this.#join())
    if (timeoutSeconds !== null)
      this.#after(timeoutSeconds - this.#elapsed(), () =>
        this.#endJob({ kind: 'timeout', afterSeconds: timeoutSeconds }, 'SIGTERM'),
      )
  }

  /**
   * A signal of the user. `delivered`: the terminal has sent it to the job already. The second one means it:
   * everything is killed at once.
   */
  signal(signal: NodeJS.Signals, delivered: boolean): void {
    // Its number may be another's by now.
    if (this.#done) return
    if (this.#isToEnd && this.#endedBy?.kind === 'user' && signal !== 'SIGHUP') {
      this.#processes?.killAll()
      return
    }
    this.#endJob({ kind: 'user', signal }, delivered ? null : signal)
  }

  /** Passes a signal on that does not end the job, such as stop and continue. */
  pass(signal: NodeJS.Signals): void {
    if (!this.#done) this.#signalAll(signal)
  }

  ended(): void {
    this.#durationSeconds = this.#elapsed()
    this.#followed?.lookAtEnded(this.#pid, null)
  }

  reaped(end: ChildEnd): void {
    this.#end = end
    this.#processes?.mainIsReaped()
    // Without libc nobody calls in between: its children are to be found all the same.
    if (this.#durationSeconds === 0) {
      this.#durationSeconds = this.#elapsed()
      this.#followed?.lookAtEnded(this.#pid, end.account)
    }
    this.#followed?.retire(this.#pid, end.account)
    // Whoever asked for the end of the job asked for all of it.
    if (this.#endedBy !== null && this.#endedBy.kind !== 'user') this.#processes?.killAll()
    const mayBeByKey = this.#endedBy === null && this.#request.group === 'shared'
    const waitSeconds = mayBeByKey ? keyWaitSeconds(end) : 0
    this.#awaitsKey = waitSeconds > 0
    // Timers come before signals in a turn of the event loop: of one in which we came late, the signals are heard as well.
    if (this.#awaitsKey) this.#after(waitSeconds, () => this.#after(0, () => this.#settle(true)))
    else this.#settle(true)
  }

  #tellTrace(): void {
    const { onStarted, taskId } = this.#request
    if (onStarted === undefined) return
    const known = this.#followed?.identify(this.#pid) ?? this.#meter.identify(this.#pid)
    if (known === undefined) return
    const { pid, startTicks, sessionId } = known
    const cgroups = this.#cgroup?.directories ?? []
    onStarted({ taskId, pid, startTicks, sessionId, cgroups })
  }

  /** Also where nothing is measured: whoever ends a job, or holds it to a limit, must know its processes. */
  #follow(watchedLimit: number | null, brand: number | null): FollowedJob {
    const request = this.#request
    return this.#meter.follow({
      rootPid: this.#pid,
      intervalSeconds: request.intervalSeconds,
      mark: taskMark(request.taskId),
      brand,
      cgroup: this.#cgroup?.inUse === true ? this.#cgroup : null,
      origin: 'launched',
      startedAt: this.#startedAt,
      ...(request.recordedStart === undefined ? {} : { recordedStart: request.recordedStart }),
      launcherBytes: this.#system.processes.ownPeakBytes(),
      onSamples: request.onSamples,
      ...(request.onDevices === undefined ? {} : { onDevices: request.onDevices }),
      ...(watchedLimit === null ? {} : { memoryLookSeconds: watchedLimitSeconds }),
      onLook: () => {
        if (watchedLimit !== null) this.#checkMemory(watchedLimit)
        this.#joinIfMany()
      },
    })
  }

  #joinIfMany(): void {
    const processes = this.#followed?.livingProcesses ?? 0
    // What outlives the main process may be about to end. If it lasts, it joins when a job that has few processes does.
    if (this.#hasMany || processes < joinProcesses || this.#end !== undefined) return
    this.#hasMany = true
    if (this.#request.intervalSeconds !== null) this.#join()
  }

  #join(): void {
    if (this.#cgroup?.joinsLater) this.#followed?.join(() => this.#cgroup?.join() ?? null)
  }

  #checkMemory(limitBytes: number): void {
    const seenBytes = this.#followed?.seen.memoryBytes ?? 0
    if (seenBytes > limitBytes && !this.#isToEnd) {
      this.#endedBy = { kind: 'memory', limitBytes, seenBytes }
      this.#processes?.killAll()
    }
  }

  /** Also to those that were started since the last look: of what is not measured, that was at its start. */
  #signalAll(signal: NodeJS.Signals): void {
    if (this.#followed !== undefined) this.#meter.refresh(this.#followed)
    this.#processes?.signalAll(signal)
  }

  /** A hang-up is news, not an order: who lives on after it can still be told to end, and is held to its limits. */
  get #isToEnd(): boolean {
    return this.#endedBy !== null && !isHangUp(this.#endedBy)
  }

  #endJob(endedBy: EndedBy, signal: NodeJS.Signals | null): void {
    // Until a key that may have ended it is heard of, only its user can still be the one who did.
    const isOver = this.#end !== undefined && !(this.#awaitsKey && endedBy.kind === 'user')
    if (isOver && this.#request.stragglers !== 'wait') return
    if (!this.#isToEnd) this.#endedBy = endedBy
    if (signal !== null) this.#signalAll(signal)
    if (signal !== 'SIGHUP')
      this.#after(this.#request.graceSeconds, () => this.#processes?.killAll())
  }

  /** The main process is gone. Is anything left, and what is to be done about it? */
  #settle(firstTime: boolean): void {
    if (this.#done) return
    this.#awaitsKey = false
    const followed = this.#followed
    if (followed === undefined) {
      this.#finish([])
      return
    }
    const mayHaveMore = this.#meter.unknownChildren()?.length !== 0
    // Of those who are left behind, the first of these looks is the last that counts.
    if (mayHaveMore || followed.livingPids().length > 0)
      this.#meter.refresh(followed, firstTime && this.#policyForLeft() === 'leave')
    const living = followed.livingPids()
    if (living.length === 0) {
      // Those that were waited for have ended since the last look: just when, we know if they were ours to reap.
      if (!firstTime && this.#awaitsAll)
        this.#durationSeconds =
          followed.lastReapedSeconds > this.#durationSeconds
            ? followed.lastReapedSeconds
            : this.#elapsed()
      this.#finish([])
      return
    }
    const policy = this.#policyForLeft()
    if (policy === 'kill') {
      if (this.#endedBy === null) for (const pid of living) this.#endedAfterIt.add(pid)
      this.#processes?.killAll()
    }
    if (this.#awaitsAll) this.#durationSeconds = this.#elapsed()
    if (firstTime && policy === 'leave') followed.outlived()
    if (firstTime || policy !== 'leave') {
      this.#system.clock.after(dyingSeconds, () => this.#settle(false))
      return
    }
    this.#finish(this.#named(living))
  }

  #named(pids: readonly number[]): Straggler[] {
    return pids.map((pid) => ({
      pid,
      command: readCommand(this.#system.files, pid) ?? 'ended meanwhile',
    }))
  }

  /** Whoever asked for the end of the job asked for all of it: what does not heed a signal is killed after the grace time. */
  #policyForLeft(): StragglerPolicy | 'await their end' {
    const { stragglers } = this.#request
    if (this.#endedBy === null) return stragglers
    if (this.#endedBy.kind !== 'user') return 'kill'
    return stragglers === 'leave' && this.#endedBy.signal !== 'SIGHUP'
      ? 'await their end'
      : stragglers
  }

  /** Then the job lasts as long as any of its processes: what these use counts, and so does the time in which they do. */
  get #awaitsAll(): boolean {
    return this.#request.stragglers === 'wait' || this.#policyForLeft() === 'await their end'
  }

  #finish(stragglers: readonly Straggler[]): void {
    this.#done = true
    this.#processes?.letGo()
    for (const cancel of this.#timers) cancel()
    this.#marks?.end()
    for (const trouble of this.#logs?.end() ?? []) this.#request.onLogTrouble?.(trouble)
    const durationSeconds = this.#durationSeconds
    const end = this.#end ?? { exitCode: null, signal: null, account: null }
    const followed = this.#followed
    const measured = followed && this.#meter.finish(followed, durationSeconds)
    const used =
      measured === undefined || this.#request.intervalSeconds === null
        ? unwatchedUsage(followed?.told ?? {}, 'monitoring was turned off')
        : measured
    const limit = this.#limit
    const isMet = followed !== undefined && limit?.isMetInKernel(followed.seen) === true
    const result: LaunchResult = {
      durationSeconds,
      outcome: nameOutcome({
        end,
        endedBy: this.#endedBy,
        oomKills: followed?.seen.oomKills || 0,
        limitMetBytes: isMet ? limit.bytes : null,
        stragglers,
        endedAfterIt: this.#endedAfterIt.size,
      }),
      usage: this.#withLimit(used),
      samples: {
        collected: followed?.samplesTaken ?? 0,
        intervalSeconds: this.#request.intervalSeconds,
        late: followed?.lateLooks ?? 0,
        ownCpuSeconds: recentOwnCpuSeconds(this.#system) - this.#ownCpuAtStart,
      },
      outline: followed?.outline ?? [],
    }
    this.#cgroup?.remove()
    if (durationSeconds >= tidySeconds) this.#cgroup?.removeLeftovers()
    const { marksPath } = this.#request
    // Nearly no job writes marks: this look is all that they cost a short one.
    if (marksPath === undefined || this.#system.files.isMissing(marksPath)) this.#resolve(result)
    else void this.#withMarks(result, marksPath).then(this.#resolve)
  }

  #withLimit(usage: Usage): Usage {
    if (this.#limit === undefined || this.#followed === undefined) return usage
    const requestedBytes = this.#request.requirements?.memoryBytes ?? null
    return this.#limit.noteIn(usage, this.#followed.seen, {
      endedBy: this.#endedBy,
      requestedBytes,
    })
  }

  async #withMarks(result: LaunchResult, path: string): Promise<LaunchResult> {
    try {
      const { readMarks } = await import('./read-marks.ts')
      const startedAt = this.#recordedStart
      const { marks, trouble } = readMarks(this.#system.files, path, this.#marks?.sightings ?? [], {
        startedAt,
        endedAt: startedAt + result.durationSeconds,
      })
      return { ...result, marks, ...(trouble === null ? {} : { markTrouble: trouble }) }
    } catch (error) {
      // Even the code may be out of reach by now: jobmeter may have been upgraded meanwhile.
      const markTrouble = error instanceof Error ? error.message : String(error)
      return { ...result, markTrouble }
    }
  }

  #elapsed(): number {
    return this.#system.clock.monotonicSeconds() - this.#startedAt
  }

  #after(seconds: number, callback: () => void): void {
    this.#timers.push(this.#system.clock.after(Math.max(0, seconds), callback))
  }
}

const isHangUp = (endedBy: EndedBy): boolean =>
  endedBy.kind === 'user' && endedBy.signal === 'SIGHUP'
