import type { LastSeen } from '../../meter/follow-request.ts'
import { ok, unavailable, type Reading } from '../../model/reading.ts'
import type { Usage } from '../../model/usage.ts'
import type { ContainerKey, EngineApi } from '../../sensors/container/engine-api.ts'
import type { Engine } from '../../sensors/container/engine-place.ts'
import type { ContainerEvent } from '../../sensors/container/event.ts'
import type { Inspected } from '../../sensors/container/inspected.ts'
import { originOf, type ContainerFollowing } from './container-following.ts'
import { ContainerSearch, goneWords } from './container-search.ts'
import { endContainer, endUnstarted, type EndedUnstarted } from './end-container.ts'
import { EndInquiry } from './end-inquiry.ts'
import { isLaterLife } from './later-life.ts'
import {
  seeContainer,
  type ContainerSight,
  type ContainerTools,
  type SeenContainer,
} from './seen-container.ts'

/**
 * How long to wait for the daemon to tell of an end that is near, and, once the job is over, for all its answers together.
 * They take milliseconds, and a second or two where a busy machine ends a container; whoever waits for the job should not
 * wait longer for what is only to be said of it.
 */
const tellSeconds = 5
/** And for it to tell of a container at all, where the command has ended and nothing was heard. */
const lateSeconds = 0.5
/**
 * To end what was left has its own time: as long as a container may take to end, and a last answer. Even a daemon that has
 * not answered the last question is asked.
 */
const killSeconds = { atMost: 6, afterSilence: 1 } as const

/** How a container ended, as far as that is known. */
export interface ContainerEnd {
  readonly atSeconds: number | null
  readonly exitCode: number | null
}

/** A container that is measured while it runs, from the moment it starts. All that the daemon says comes later, and is never waited for by a look. */
export class MeasuredRun {
  readonly #tools: ContainerTools
  readonly #search: ContainerSearch
  readonly #following: ContainerFollowing
  readonly #died = Promise.withResolvers<void>()
  #seen: SeenContainer | undefined
  #end: ContainerEnd | undefined
  #oomEvents = 0
  #hasRestarted = false
  #silence: string | null = null
  readonly #inquiry: EndInquiry
  /** Whether one that was known before had ended when the daemon began to tell of it. */
  readonly #firstQuestion: EndInquiry

  constructor(
    tools: ContainerTools,
    apis: readonly EngineApi[],
    key: ContainerKey,
    following: ContainerFollowing,
  ) {
    this.#tools = tools
    this.#following = following
    const { clock } = tools.system
    const onOver = (): void => this.#died.resolve()
    this.#inquiry = new EndInquiry(clock, () => this.#isOver(), onOver)
    this.#firstQuestion = new EndInquiry(
      clock,
      async () => ((await this.#isOver()) === undefined ? undefined : true),
      () => this.#resolveIfEnded(),
    )
    this.#search = new ContainerSearch(clock, apis, key, following, {
      isWanted: (inspected) => this.#isWanted(inspected),
      onFound: (inspected, api) => this.#follow(inspected, api),
      onEvent: (event, api) => this.#heard(event, api),
      onUnheard: () => this.#inquiry.begin(),
      onHopeless: onOver,
      isOver: () => this.#end !== undefined,
    })
    if (following.known !== undefined) this.#firstQuestion.begin()
  }

  get engine(): Engine {
    return this.#search.api.engine
  }

  get inspected(): Inspected | undefined {
    return this.#search.inspected
  }

  /** What is seen of it: by its cgroup and processes, or as its daemon tells; undefined before there is anything. */
  get seenBy(): ContainerSight | undefined {
    return this.#seen?.sight
  }

  /** What it does just now, or why that is not known. */
  get lately(): Reading<Pick<LastSeen, 'cpuPercent' | 'memoryBytes'>> {
    if (this.#end !== undefined) return unavailable('the container has ended')
    if (this.#seen === undefined) return unavailable(this.why)
    const { whyUnseen, sight } = this.#seen
    return whyUnseen === null ? ok(sight.seen) : unavailable(whyUnseen)
  }

  get end(): ContainerEnd | undefined {
    return this.#end
  }

  /** Killed for memory, by the daemon's word; the kernel's own count is in the usage. */
  get oomEvents(): number {
    return this.#oomEvents
  }

  /** Its daemon still tells of what happens to it, as far as we know. */
  get hearsEvents(): boolean {
    return this.#search.hearsEvents
  }

  /** The daemon told that it was started, however short it ran. */
  get wasStarted(): boolean {
    return this.#search.wasStarted
  }

  /** Its daemon was there at first, whatever became of it since. */
  get wasThere(): boolean {
    return this.#search.wasThere
  }

  /** It ended and was started again, by its restart policy: only the first time is measured. */
  get hasRestarted(): boolean {
    return this.#hasRestarted
  }

  /** How long before its end its CPU time was last read, at most; 0 where it was read after the end. */
  get missedSeconds(): number {
    return this.#seen?.missedSeconds ?? NaN
  }

  /** It was started for the job, not before. */
  get isOwn(): boolean {
    return this.inspected !== undefined && this.#originOf(this.inspected) === 'found'
  }

  get machineCores(): number {
    return this.#tools.system.host.onlineCores
  }

  /** Why the daemon could not tell whether it had ended, when last asked; null where it could. */
  get silence(): string | null {
    return this.#silence ?? this.#search.silence
  }

  /** Why nothing was measured, where nothing was. */
  get why(): string {
    return this.#search.why.text
  }

  get isRunning(): boolean {
    return this.inspected !== undefined && this.#end === undefined
  }

  /** Resolves when the container has ended, or when nobody can tell any more whether it has. */
  get died(): Promise<void> {
    return this.#died.promise
  }

  /** Resolves when the daemon has answered what it was asked so far. */
  get answered(): Promise<void> {
    return this.#search.answered
  }

  /** The job is over: from now on, all answers together are waited for a few seconds at most. */
  hurry(): void {
    this.#search.limit(tellSeconds)
  }

  /** No answer is waited for any longer. */
  giveUp(): void {
    this.#search.giveUp()
  }

  /** Waits for answers that are under way, and for the end if that must come. */
  async settle(mustEnd: boolean): Promise<void> {
    await this.answered
    // Podman tells of what has happened a moment later.
    if (this.inspected === undefined && this.#end === undefined)
      await this.#within(lateSeconds, this.#died.promise)
    if (this.isRunning && mustEnd)
      await this.#within(
        Math.min(tellSeconds, this.#search.api.time.leftSeconds),
        this.#died.promise,
      )
    await this.answered
    await this.#learnEnd()
  }

  /** Whether it was started at all: of what was over at once, the event may come late. null where the daemon does not say. */
  learnStart(): Promise<boolean | null> {
    return this.#search.learnStart()
  }

  /** What its daemon says of it now. Of a restart there may have been no event. */
  async #inspectAgain(first: Inspected): Promise<Reading<Inspected>> {
    const now = await this.#search.api.inspect(first.id)
    if (now.kind === 'ok' && isLaterLife(first, now.value)) this.#hasRestarted = true
    return now
  }

  /** Of a container that is still there its daemon tells more than events do, and events may be lost. */
  async #learnEnd(): Promise<void> {
    if (this.inspected === undefined) return
    const last = await this.#inspectAgain(this.inspected)
    if (last.kind !== 'ok' || last.value.isRunning) return
    const { isOomKilled, finishedAt: atSeconds, exitCode } = last.value
    if (isOomKilled) this.#oomEvents = Math.max(1, this.#oomEvents)
    this.#end ??= { atSeconds, exitCode }
  }

  /** Whether it runs on, by the daemon's word of now. Where it says nothing, only an end that was seen here counts as one. */
  async isLeft(): Promise<boolean> {
    if (this.inspected === undefined || this.#end !== undefined) return false
    const now = await this.#inspectAgain(this.inspected)
    if (now.kind !== 'failed') return now.kind === 'ok' && now.value.isRunning
    return !this.#endsUntold(now.error)
  }

  /** Notes that the daemon does not answer; true where the container has ended all the same. */
  #endsUntold(why: string): boolean {
    const hasEnded = !this.#hasRestarted && this.#seen?.isAlive === false
    if (hasEnded) this.#end ??= { atSeconds: null, exitCode: null }
    else this.#silence = why
    return hasEnded
  }

  /** Resolves as `died` does. A daemon that has fallen silent is asked again now and then. */
  awaitEnd(): Promise<void> {
    this.#search.api.time.unlimit()
    if (this.#silence !== null && this.inspected !== undefined) this.#inquiry.begin()
    return this.died
  }

  /** Has it end; false where it runs on all the same. */
  async kill(): Promise<boolean> {
    const id = this.inspected?.id
    const { time } = this.#search.api
    const isSilent = time.wasLate || time.spent !== null
    time.limit(isSilent ? killSeconds.afterSilence : killSeconds.atMost)
    if (id === undefined || !(await endContainer(this.#tools.system, this.#search.api, id)))
      return false
    // One that was killed between two starts has told of its end before.
    await this.#learnEnd()
    this.#resolveIfEnded()
    return true
  }

  #resolveIfEnded(): void {
    if (this.#end !== undefined) this.#died.resolve()
  }

  /** Ids of containers that the client made, and that nobody has started yet. */
  unstarted(label: string): Promise<Reading<readonly string[]>> {
    return this.#search.api.unstarted(label)
  }

  /** Of a job that was ended before its container was started. */
  endUnstarted(label: string): Promise<Reading<EndedUnstarted>> {
    const { api } = this.#search
    api.time.limit(killSeconds.atMost)
    return endUnstarted(this.#tools.system, api, label, killSeconds.atMost)
  }

  /** Looks for one that runs though nothing was heard of its start. */
  findUnheard(label: string): Promise<Reading<void>> {
    return this.#search.findUnheard(label)
  }

  /** What was measured until now; undefined where nothing was. Nothing more is heard or read after it. */
  finish(durationSeconds: number): Usage | undefined {
    this.close()
    return this.#seen?.finish(durationSeconds)
  }

  close(): void {
    this.#seen?.close()
    this.#inquiry.stop()
    this.#firstQuestion.stop()
    this.#search.close()
  }

  #heard({ id, action, exitCode, atSeconds }: ContainerEvent, api: EngineApi): void {
    if (action === 'oom') this.#oomEvents += 1
    if (action === 'die')
      this.#search.afterAnswers(api, () => this.#ended(id, api, { atSeconds, exitCode }))
  }

  /** A restart policy may start it again. */
  async #ended(id: string, api: EngineApi, end: ContainerEnd): Promise<void> {
    const now = await api.inspect(id)
    if (now.kind === 'ok' && now.value.isRunning) {
      this.#hasRestarted = true
      return
    }
    this.#end = end
    this.#died.resolve()
  }

  /** undefined where the daemon does not answer, and nothing else tells. */
  async #isOver(): Promise<boolean | undefined> {
    if (this.inspected === undefined) return undefined
    const now = await this.#inspectAgain(this.inspected)
    if (now.kind === 'failed') {
      if (this.#endsUntold(now.error)) return true
      // A daemon that is started anew, as for an upgrade, leaves its containers running and takes its time.
      return this.#seen?.isAlive === true ? false : undefined
    }
    this.#silence = null
    if (now.kind === 'ok' && now.value.isRunning) return false
    // One that is not there has been removed at its end.
    const told = now.kind === 'ok' ? now.value : { finishedAt: null, exitCode: null }
    this.#end ??= { atSeconds: told.finishedAt, exitCode: told.exitCode }
    return true
  }

  #isWanted(inspected: Inspected): boolean {
    // One that was only made. Of one that runs, an odd time of its start says nothing.
    if (inspected.startedAt === null && !inspected.isRunning) return false
    return inspected.isRunning || this.#originOf(inspected) === 'found'
  }

  #originOf(inspected: Inspected): 'found' | 'running' {
    return originOf(inspected, this.#following, this.#tools.system.clock.wallSeconds())
  }

  #follow(inspected: Inspected, api: EngineApi): void {
    const { pid } = inspected
    if (pid === null) {
      this.#search.why.know(
        inspected.isRunning ? 'the daemon does not tell which process is its main one' : goneWords,
      )
      return
    }
    const { intervalSeconds } = this.#following
    if (intervalSeconds === null) {
      this.#search.why.know('monitoring was turned off')
      return
    }
    this.#seen = seeContainer(
      this.#tools,
      api,
      { inspected, pid },
      { ...this.#following, intervalSeconds, origin: this.#originOf(inspected) },
      // A daemon that has stopped tells of no end, and does not close its stream of events either.
      () => this.#inquiry.begin(),
    )
  }

  #within(seconds: number, promise: Promise<void>): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const cancel = this.#tools.system.clock.after(seconds, resolve)
    return Promise.race([promise, late]).finally(cancel)
  }
}
