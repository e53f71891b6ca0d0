import { notSent, type Message, type Sent } from '../../alert/channels/channel.ts'
import type { ChannelConfig } from '../../alert/config/channel-config.ts'
import { allowedAt, retrySeconds } from '../../alert/delivery/pace.ts'
import type { DeliveryPace } from '../../model/alert.ts'
import type { AlertStore } from '../../store/alerts/alert-store.ts'
import type { Batch, ToChannel } from '../../store/alerts/delivery-queue.ts'

export interface DeliveryTools {
  readonly store: AlertStore
  wallSeconds(): number
  newId(): string
  /** The channel as its file says now; a text if there is none. */
  channel(to: ToChannel): Promise<ChannelConfig | string>
  /** What this process needs for a channel and has not, in words; null if nothing. */
  lacks(channel: ChannelConfig): string | null
  /** Whether the channel is ours to deliver to, as nobody else is at it. */
  hold(to: ToChannel): boolean
  send(channel: ChannelConfig, message: Message): Promise<Sent>
}

/** How things stand with what waits. */
export interface Look {
  /** When there is more to do for us; undefined while all of it is under way. */
  readonly nextAt: number | undefined
  /** Some is ours to deliver, some another's, and some needs what we have not. */
  readonly isOurs: boolean
  readonly isOthers: boolean
  readonly isLacking: boolean
}

/** For a channel that its file no longer has. */
const paceOfUnknown: DeliveryPace = {
  groupSeconds: 0,
  mostMessages: 1,
  perSeconds: 60,
  firstRetrySeconds: 60,
  longestRetrySeconds: 3600,
  giveUpSeconds: 3 * 24 * 3600,
}
/** Of one message, after which those behind it are no longer kept waiting. */
const mostRefusals = 3
/** An attempt ends before this after its time is over. */
const claimMarginSeconds = 5

/** Delivers what is queued. A slow channel keeps no other waiting. */
export class Deliverer {
  readonly #tools: DeliveryTools
  readonly #busy = new Map<string, Promise<void>>()
  delivered = 0
  failures = 0

  constructor(tools: DeliveryTools) {
    this.#tools = tools
  }

  /** Begins all that is due and ours. */
  async begin(): Promise<Look> {
    const { store, hold } = this.#tools
    let nextAt: number | undefined
    const standing = { isOurs: false, isOthers: false, isLacking: false }
    for (const to of store.queue.waitingChannels()) {
      const channel = await this.#tools.channel(to)
      const lacks = typeof channel === 'string' ? null : this.#tools.lacks(channel)
      if (lacks !== null) {
        // No attempt: whoever has it may be there already, or come.
        store.queue.untried(to, `not tried: ${lacks} where jobmeter ran`)
        standing.isLacking = true
      } else if (hold(to)) {
        standing.isOurs = true
        const at = this.#beginFor(to, channel)
        if (at !== undefined && !(at >= (nextAt ?? Infinity))) nextAt = at
      } else standing.isOthers = true
    }
    return { nextAt, ...standing }
  }

  /** What is under way. */
  get underWay(): readonly Promise<void>[] {
    return [...this.#busy.values()]
  }

  #beginFor(to: ToChannel, channel: ChannelConfig | string): number | undefined {
    const key = JSON.stringify([to.config, to.channel])
    if (this.#busy.has(key)) return undefined
    const { store, newId } = this.#tools
    const pace = typeof channel === 'string' ? paceOfUnknown : channel.pace
    const now = this.#tools.wallSeconds()
    const allowed = allowedAt(pace, store.queue.sentTimes(to, now - pace.perSeconds), now)
    if (allowed > now) return allowed
    const timeoutSeconds = typeof channel === 'string' ? 0 : channel.timeoutSeconds
    const batch = store.queue.take(to, now, {
      newId: newId(),
      groupSeconds: pace.groupSeconds,
      claimSeconds: timeoutSeconds + claimMarginSeconds,
    })
    if (batch === undefined) return store.queue.nextAt(to, pace.groupSeconds)
    const attempt = this.#attempt(batch, channel, pace).finally(() => this.#busy.delete(key))
    this.#busy.set(key, attempt)
    return undefined
  }

  async #attempt(batch: Batch, channel: ChannelConfig | string, pace: DeliveryPace): Promise<void> {
    const { store, wallSeconds } = this.#tools
    const { id, notices, attempts, queuedAt } = batch
    const outcome = await this.#send(channel, { id, notices })
    const now = wallSeconds()
    if (outcome.kind === 'sent') {
      this.delivered += notices.length
      store.queue.delivered(id, now)
      return
    }
    this.failures += 1
    const { error, retryAfterSeconds, isRefused } = outcome
    if (isRefused && attempts + 1 >= mostRefusals) {
      await this.#sendOneByOne(batch, channel, error)
      return
    }
    if (now - queuedAt > pace.giveUpSeconds) {
      store.queue.giveUp(id, error, now)
      return
    }
    const asked = Math.min(retryAfterSeconds ?? 0, pace.longestRetrySeconds)
    store.queue.failed(id, error, now + Math.max(asked, retrySeconds(pace, attempts + 1, id)))
  }

  /** One of them may be what is not taken: the others shall arrive. */
  async #sendOneByOne(
    { id, notices }: Batch,
    channel: ChannelConfig | string,
    error: string,
  ): Promise<void> {
    let arrived = 0
    for (const notice of notices.length > 1 ? notices : []) {
      const outcome = await this.#send(channel, { id: notice.id, notices: [notice] })
      if (outcome.kind === 'sent') arrived += 1
    }
    this.delivered += arrived
    const now = this.#tools.wallSeconds()
    const words =
      arrived === 0
        ? error
        : `${error} to ${notices.length - arrived} of ${notices.length}, and took the others`
    if (arrived === notices.length) this.#tools.store.queue.delivered(id, now)
    else this.#tools.store.queue.giveUp(id, words, now)
  }

  async #send(channel: ChannelConfig | string, message: Message): Promise<Sent> {
    if (typeof channel === 'string') return notSent(channel)
    try {
      return await this.#tools.send(channel, message)
    } catch (error) {
      // Its message may hold what must not be known.
      const name = error instanceof Error ? error.name : 'error'
      return notSent(`the channel broke (${name})`)
    }
  }
}
