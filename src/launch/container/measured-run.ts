import type { FollowedJob } from '../../meter/followed-job.ts'
import { containerGauge } from '../../meter/gauges/container.ts'
import type { LastSeen } from '../../meter/follow-request.ts'
import type { Meter } from '../../meter/meter.ts'
import { whyNot } from '../../model/reading.ts'
import type { Usage } from '../../model/usage.ts'
import { findContainerCgroup } from '../../sensors/container/container-cgroup.ts'
import type { ContainerKey, EngineApi } from '../../sensors/container/engine-api.ts'
import type { ContainerEvent } from '../../sensors/container/event.ts'
import type { Inspected } from '../../sensors/container/inspected.ts'
import { isZombie } from '../../sensors/procfs/stat.ts'
import type { System } from '../../system/system.ts'
import type { ContainerFollowing } from './container-following.ts'
import { endContainer } from './end-container.ts'
import { ToldContainer } from './told-container.ts'

/**
 * A runtime removes the cgroup of a container 5 to 50 ms after its main process has ended, and with it all that the kernel
 * counted. So it is glimpsed at between looks, which takes 0.4 ms: after each hundredth of its age, so that no more than
 * that can be missed, but neither more often than is worth it nor so seldom that its end is seen late.
 */
const glimpses = { shareOfAge: 0.01, leastSeconds: 0.02, mostSeconds: 0.25 } as const
/** How long to wait for the daemon to tell of an end that is near. */
const tellSeconds = 5
/** And for it to tell of a container at all, where the command has ended and nothing was heard. */
const lateSeconds = 0.5

const goneWords = 'it had ended before it could be measured'

/** How a container ended, as far as that is known. */
export interface ContainerEnd {
  readonly atSeconds: number | null
  readonly exitCode: number | null
}

/** A container that is measured while it runs, from the moment it starts. All that the daemon says comes later, and is never waited for by a look. */
export class MeasuredRun {
  readonly #system: System
  readonly #meter: Meter
  readonly #api: EngineApi
  readonly #following: ContainerFollowing
  readonly #closeEvents: () => void
  readonly #died = Promise.withResolvers<void>()
  #asking: Promise<void> = Promise.resolve()
  #inspected: Inspected | undefined
  #followed: FollowedJob | undefined
  #told: ToldContainer | undefined
  #end: ContainerEnd | undefined
  #oomEvents = 0
  #hasRestarted = false
  #why: string
  #stopGlimpses: () => void = () => {}
  #foundAt = NaN
  #glimpsedAt = NaN
  /** How long before its end its CPU time was last read; 0 where that was after it. */
  #missedSeconds = Infinity

  constructor(
    { system, meter }: { readonly system: System; readonly meter: Meter },
    api: EngineApi,
    key: ContainerKey,
    following: ContainerFollowing,
  ) {
    this.#system = system
    this.#meter = meter
    this.#api = api
    this.#following = following
    this.#why =
      'name' in key ? `there was no container ${key.name}` : 'the daemon told of no container'
    const events = api.events(
      key,
      following.recordedStart,
      (event) => this.#heard(event),
      () => this.#lost(),
    )
    this.#closeEvents = () => events.close()
    if (following.isBackground === true) events.unref()
    // One that runs already has been started before the first event.
    if ('name' in key) this.#asking = this.#ask(key.name)
  }

  get inspected(): Inspected | undefined {
    return this.#inspected
  }

  /** What is seen of it: by its cgroup and processes, or as its daemon tells; undefined before there is anything. */
  get seenBy():
    | (Pick<FollowedJob, 'samplesTaken' | 'lateLooks' | 'outline'> & {
        readonly seen: Pick<LastSeen, 'cpuPercent' | 'memoryBytes'>
      })
    | undefined {
    return this.#followed ?? this.#told
  }

  get end(): ContainerEnd | undefined {
    return this.#end
  }

  /** Killed for memory, by the daemon's word; the kernel's own count is in the usage. */
  get oomEvents(): number {
    return this.#oomEvents
  }

  /** It ended and was started again, by its restart policy: only the first time is measured. */
  get hasRestarted(): boolean {
    return this.#hasRestarted
  }

  /** How long before its end its CPU time was last read, at most; 0 where it was read after the end. */
  get missedSeconds(): number {
    return this.#missedSeconds
  }

  /** Why nothing was measured, where nothing was. */
  get why(): string {
    return this.#why
  }

  get isRunning(): boolean {
    return this.#inspected !== undefined && this.#end === undefined
  }

  /** Resolves when the container has ended. */
  get died(): Promise<void> {
    return this.#died.promise
  }

  /** Resolves when the daemon has answered what it was asked so far. */
  get answered(): Promise<void> {
    return this.#asking
  }

  /** Waits for answers that are under way, and for the end if that must come. */
  async settle(mustEnd: boolean): Promise<void> {
    await this.#asking
    // Podman tells of what has happened a moment later.
    if (this.#inspected === undefined && this.#end === undefined)
      await this.#within(lateSeconds, this.#died.promise)
    if (this.isRunning && mustEnd) await this.#within(tellSeconds, this.#died.promise)
    await this.#asking
    await this.#learnEnd()
  }

  /** Of a container that is still there its daemon tells more than events do, and events may be lost. */
  async #learnEnd(): Promise<void> {
    if (this.#inspected === undefined) return
    const last = await this.#api.inspect(this.#inspected.id)
    if (last.kind !== 'ok' || last.value.isRunning) return
    const { isOomKilled, finishedAt: atSeconds, exitCode } = last.value
    if (isOomKilled) this.#oomEvents = Math.max(1, this.#oomEvents)
    this.#end ??= { atSeconds, exitCode }
  }

  /** Whether it runs on, by the daemon's word of now. */
  async isLeft(): Promise<boolean> {
    if (this.#inspected === undefined || this.#end !== undefined) return false
    const now = await this.#api.inspect(this.#inspected.id)
    return now.kind === 'ok' && now.value.isRunning
  }

  /** Has it end; false where it runs on all the same. */
  async kill(): Promise<boolean> {
    const id = this.#inspected?.id
    if (id === undefined || !(await endContainer(this.#system, this.#api, id))) return false
    // One that was killed between two starts has told of its end before.
    await this.#learnEnd()
    if (this.#end !== undefined) this.#died.resolve()
    return true
  }

  /** What was measured until now; undefined where nothing was. Nothing more is heard or read after it. */
  finish(durationSeconds: number): Usage | undefined {
    this.close()
    return this.#followed === undefined
      ? this.#told?.finish(durationSeconds)
      : this.#meter.finish(this.#followed, durationSeconds)
  }

  close(): void {
    this.#stopGlimpses()
    // It ended since the last glimpse, and nothing of it is left to look at.
    if (this.#missedSeconds === Infinity)
      this.#missedSeconds = this.#system.clock.monotonicSeconds() - this.#glimpsedAt
    this.#closeEvents()
  }

  #heard({ id, action, exitCode, atSeconds }: ContainerEvent): void {
    if (this.#inspected !== undefined && id !== this.#inspected.id) return
    if (action === 'start' && this.#inspected === undefined) {
      this.#why = goneWords
      this.#asking = this.#asking.then(() => this.#ask(id))
    }
    if (action === 'oom') this.#oomEvents += 1
    if (action === 'die')
      this.#asking = this.#asking.then(() => this.#ended(id, { atSeconds, exitCode }))
  }

  /** A restart policy may start it again. */
  async #ended(id: string, end: ContainerEnd): Promise<void> {
    const now = await this.#api.inspect(id)
    if (now.kind === 'ok' && now.value.isRunning) {
      this.#hasRestarted = true
      return
    }
    this.#end = end
    this.#died.resolve()
  }

  #lost(): void {
    if (this.#inspected === undefined) this.#why = 'the daemon could not be asked for events'
    this.#died.resolve()
  }

  async #ask(name: string): Promise<void> {
    if (this.#inspected !== undefined) return
    const answer = await this.#api.inspect(name)
    if (answer.kind !== 'ok') {
      if (answer.kind === 'failed') this.#why = whyNot(answer)
      return
    }
    if (answer.value.startedAt === null) return
    if (!answer.value.isRunning && this.#originOf(answer.value) === 'running') return
    this.#inspected = answer.value
    this.#follow(answer.value)
  }

  #originOf({ startedAt }: Inspected): 'found' | 'running' {
    const { origin, recordedStart } = this.#following
    if (origin !== 'either') return origin
    return startedAt !== null && startedAt >= recordedStart ? 'found' : 'running'
  }

  #follow(inspected: Inspected): void {
    const { pid, id } = inspected
    if (pid === null) {
      this.#why = goneWords
      return
    }
    const { startedAt, recordedStart, intervalSeconds, onSamples, onDevices } = this.#following
    if (intervalSeconds === null) {
      this.#why = 'monitoring was turned off'
      return
    }
    const found = findContainerCgroup(this.#system.files, pid, id)
    if (found.kind !== 'ok') {
      this.#told = new ToldContainer(
        this.#system,
        { columns: this.#meter.columns, memoryBytes: this.#meter.machineMemoryBytes() },
        this.#api,
        inspected,
        this.#following,
      )
      return
    }
    this.#followed = this.#meter.follow(
      {
        rootPid: pid,
        intervalSeconds,
        mark: null,
        cgroup: { ...found.value, joinsLater: false, launcherCpuSeconds: 0 },
        origin: this.#originOf(inspected),
        startedAt,
        recordedStart,
        launcherBytes: 0,
        onSamples,
        onDevices,
      },
      [containerGauge({ inspected, pid, directories: found.value })],
    )
    this.#foundAt = this.#glimpsedAt = this.#system.clock.monotonicSeconds()
    this.#glimpse(pid, this.#meter.identify(pid)?.startTicks)
  }

  #glimpse(pid: number, startTicks: number | undefined): void {
    const ageSeconds = this.#system.clock.monotonicSeconds() - this.#foundAt
    const { shareOfAge, leastSeconds, mostSeconds } = glimpses
    const wait = Math.min(mostSeconds, Math.max(leastSeconds, ageSeconds * shareOfAge))
    this.#stopGlimpses = this.#system.clock.after(wait, () => {
      const followed = this.#followed
      if (followed === undefined) return
      const { clock } = this.#system
      const before = this.#glimpsedAt
      followed.glimpse()
      this.#glimpsedAt = clock.monotonicSeconds()
      const main = this.#meter.identify(pid)
      if (main !== undefined && main.startTicks === startTicks && !isZombie(main)) {
        this.#glimpse(pid, startTicks)
        return
      }
      followed.look(true)
      this.#missedSeconds = followed.hasCgroup ? 0 : this.#glimpsedAt - before
    })
  }

  #within(seconds: number, promise: Promise<void>): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const cancel = this.#system.clock.after(seconds, resolve)
    return Promise.race([promise, late]).finally(cancel)
  }
}
