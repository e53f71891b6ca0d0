import { ok, whyNot, type Reading } from '../../model/reading.ts'
import type { ContainerKey, EngineApi } from '../../sensors/container/engine-api.ts'
import type { ContainerEvent } from '../../sensors/container/event.ts'
import type { Inspected } from '../../sensors/container/inspected.ts'
import type { Listening } from '../../system/api-socket.ts'
import type { Clock } from '../../system/system.ts'
import type { ContainerFollowing } from './container-following.ts'
import { EndInquiry } from './end-inquiry.ts'
import { noLongerAsk } from './reachable-engines.ts'
import { WhyUnseen } from './why-unseen.ts'

export const goneWords = 'it had ended before it could be measured'

/** A stream of events that lasted so long was open, and not refused: if it is lost before the start, it is opened again. */
const steadySeconds = 1
const reopenSeconds = 1
const mostReopened = 6

/** What a search tells. */
interface SearchNews {
  /** False for one that is not looked for after all. */
  readonly isWanted: (inspected: Inspected) => boolean
  readonly onFound: (inspected: Inspected, api: EngineApi) => void
  /** What happens to the container besides its start. */
  readonly onEvent: (event: ContainerEvent, api: EngineApi) => void
  /** The engine that knows it tells of no events any more: it must be asked. */
  readonly onUnheard: () => void
  /** Nobody will tell of it any more. */
  readonly onHopeless: () => void
  /** Its end is known: it need not be looked for. */
  readonly isOver: () => boolean
}

/** Looks for a container: by the events of all engines that may know it, and by asking them. */
export class ContainerSearch {
  readonly why: WhyUnseen
  readonly #clock: Clock
  readonly #apis: readonly EngineApi[]
  readonly #key: ContainerKey
  readonly #since: number
  readonly #news: SearchNews
  readonly #isBackground: boolean
  readonly #streams = new Map<EngineApi, Listening>()
  /** How often the stream of an engine was opened again since it last lasted. */
  readonly #reopened = new Map<EngineApi, number>()
  readonly #cancelReopening = new Map<EngineApi, () => void>()
  /** Those that tell of no events any more, and have answered all that they were asked before. */
  readonly #unheard = new Set<EngineApi>()
  #api: EngineApi
  #inspected: Inspected | undefined
  /** The last question to each engine: one that hangs must not keep others from being asked. */
  readonly #asking = new Map<EngineApi, Promise<void>>()
  #wasStarted = false
  #wasThere = false
  #isClosed = false
  #silence: string | null = null
  /** Those that are asked again, because an answer did not come. */
  readonly #again = new Map<EngineApi, EndInquiry>()

  constructor(
    clock: Clock,
    apis: readonly EngineApi[],
    key: ContainerKey,
    { recordedStart, isBackground, known }: ContainerFollowing,
    news: SearchNews,
  ) {
    const [first] = apis
    if (first === undefined) throw new Error('a container is measured by what some engine tells')
    this.#clock = clock
    this.#apis = apis
    this.#api = first
    this.#key = key
    this.#since = recordedStart
    this.#news = news
    const ofNone =
      'name' in key ? `there was no container ${key.name}` : 'the daemon told of no container'
    this.why = new WhyUnseen(ofNone, apis.length > 1)
    this.#isBackground = isBackground === true
    for (const api of apis) this.#listen(api)
    // One that runs already has been started before the first event.
    if (known !== undefined) this.afterAnswers(first, () => this.#found(known, first))
    else if ('name' in key)
      for (const api of apis) this.#askUntilAnswered(api, () => this.#askForNamed(key.name, api))
  }

  /** Of several, the one that knows the container, once that is known. */
  get api(): EngineApi {
    return this.#api
  }

  get inspected(): Inspected | undefined {
    return this.#inspected
  }

  /** Its daemon tells of what happens to it, as far as we know. */
  get hearsEvents(): boolean {
    return !this.#unheard.has(this.#api)
  }

  /** The daemon told that it was started, however short it ran. */
  get wasStarted(): boolean {
    return this.#wasStarted
  }

  /** A daemon has agreed to tell, whatever became of it since. */
  get wasThere(): boolean {
    return this.#wasThere
  }

  /** Why the daemon could not tell of one that was started; null where it could. */
  get silence(): string | null {
    return this.#silence
  }

  /** Resolves when the daemons have answered what they were asked so far. */
  get answered(): Promise<void> {
    return this.#allAnswered()
  }

  /** To each engine one question after the other: each may answer the next. */
  afterAnswers(api: EngineApi, ask: () => void | Promise<void>): void {
    this.#asking.set(api, (this.#asking.get(api) ?? Promise.resolve()).then(ask))
  }

  /** From now on, all answers together are waited for no longer than that. */
  limit(seconds: number): void {
    for (const { time } of this.#apis) time.limit(seconds)
  }

  /** No answer is waited for any longer. */
  giveUp(): void {
    for (const { time } of this.#apis) time.cut('nobody waited for an answer any longer')
  }

  /** Whether it was started at all: of what was over at once, the event may come late. null where the daemon does not say. */
  async learnStart(): Promise<boolean | null> {
    if (this.#wasStarted) return true
    const past = await this.#api.pastEvents(this.#key, this.#since, this.#clock.wallSeconds())
    if (past.kind !== 'ok') {
      this.why.know(`the daemon does not say whether it was started (${whyNot(past)})`)
      return null
    }
    this.#wasStarted = past.value.some(({ action }) => action === 'start')
    if (this.#wasStarted) this.why.know(goneWords)
    return this.#wasStarted
  }

  /** Asks for one that runs though nothing was heard of its start: events are lost, and may come late. */
  async findUnheard(label: string): Promise<Reading<void>> {
    const living = await this.#api.living(label)
    if (living.kind !== 'ok') return living
    for (const id of living.value) {
      this.#wasStarted = true
      await this.#askForStarted(id, this.#api)
    }
    return ok(undefined)
  }

  close(): void {
    this.#isClosed = true
    for (const again of this.#again.values()) again.stop()
    for (const cancel of this.#cancelReopening.values()) cancel()
    for (const events of this.#streams.values()) events.close()
  }

  async #allAnswered(): Promise<void> {
    await Promise.all(this.#asking.values())
  }

  /** Also hears what was told since the beginning, while nobody listened. */
  #listen(api: EngineApi): void {
    const openedAt = this.#clock.monotonicSeconds()
    const events = api.events(
      this.#key,
      this.#since,
      (event) => this.#heard(event, api),
      () => this.#lost(api, openedAt),
      () => (this.#wasThere = true),
    )
    if (this.#isBackground) events.unref()
    this.#streams.set(api, events)
  }

  #heard(event: ContainerEvent, api: EngineApi): void {
    if (this.#inspected !== undefined && event.id !== this.#inspected.id) return
    if (event.action === 'start') this.#started(event.id, api)
    else this.#news.onEvent(event, api)
  }

  #started(id: string, api: EngineApi): void {
    this.#wasStarted = true
    if (this.#inspected !== undefined) return
    this.why.know(goneWords)
    this.#askUntilAnswered(api, () => this.#askForStarted(id, api))
  }

  /** Asks again where there is no answer, until nobody hopes for one any more. */
  #askUntilAnswered(api: EngineApi, ask: () => Promise<true | undefined>): void {
    this.afterAnswers(api, async () => {
      if ((await ask()) !== undefined || this.#again.has(api)) return
      const again = new EndInquiry(this.#clock, ask, () => {
        this.#again.delete(api)
        this.afterAnswers(api, () => this.#unlessHeard())
      })
      this.#again.set(api, again)
      again.begin()
    })
  }

  /** Of events alone: the daemon may have been started anew, and the container may run on. What it is being asked may find it. */
  #lost(api: EngineApi, openedAt: number): void {
    const lastedSeconds = this.#clock.monotonicSeconds() - openedAt
    this.afterAnswers(api, () => {
      if (this.#reopens(api, lastedSeconds)) return
      this.#unheard.add(api)
      if (this.#inspected === undefined) {
        this.why.trouble(api.engine, 'the daemon could not be asked for events')
        this.#unlessHeard()
      } else if (api === this.#api) this.#news.onUnheard()
    })
  }

  /** A daemon that is started anew, or cuts streams off, may still be the one to tell of the start. */
  #reopens(api: EngineApi, lastedSeconds: number): boolean {
    if (this.#isClosed || this.#wasStarted || this.#inspected !== undefined) return false
    const times = lastedSeconds < steadySeconds ? (this.#reopened.get(api) ?? mostReopened) : 0
    if (times >= mostReopened) return false
    this.#reopened.set(api, times + 1)
    const cancel = this.#clock.after(reopenSeconds, () => this.#listen(api))
    this.#cancelReopening.set(api, cancel)
    return true
  }

  /** Where no engine tells of events any more, nobody can tell of the end of what was not found. */
  #unlessHeard(): void {
    const isUnheard = this.#unheard.size === this.#apis.length
    if (this.#inspected === undefined && isUnheard && this.#again.size === 0)
      this.#news.onHopeless()
  }

  /** One that a user named may not be there, or be another engine's. undefined where the daemon does not answer. */
  async #askForNamed(name: string, api: EngineApi): Promise<true | undefined> {
    if (this.#inspected !== undefined) return true
    const answer = await api.inspect(name)
    if (answer.kind === 'ok') this.#found(answer.value, api)
    if (answer.kind !== 'failed' || this.#inspected !== undefined) return true
    this.why.trouble(api.engine, whyNot(answer))
    return undefined
  }

  /** One that was started is there, or was. undefined where the daemon does not answer. */
  async #askForStarted(id: string, api: EngineApi): Promise<true | undefined> {
    if (this.#inspected !== undefined || this.#news.isOver()) return true
    const answer = await api.inspect(id)
    if (answer.kind === 'ok') this.#found(answer.value, api)
    else this.why.know(answer.kind === 'failed' ? whyNot(answer) : goneWords)
    this.#silence = answer.kind === 'failed' ? whyNot(answer) : null
    return answer.kind === 'failed' ? undefined : true
  }

  #found(inspected: Inspected, api: EngineApi): void {
    if (this.#inspected !== undefined || !this.#news.isWanted(inspected)) return
    this.#api = api
    this.#inspected = inspected
    this.#silence = null
    noLongerAsk(this.#apis, api)
    this.#news.onFound(inspected, api)
    if (this.#unheard.has(api)) this.#news.onUnheard()
  }
}
