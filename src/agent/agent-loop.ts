import { hourSeconds } from '../model/time-parts.ts'
import type { Retention } from '../store/node/retention.ts'
import type { NodeStore } from '../store/node/open-node.ts'
import type { System, ToolPlace } from '../system/system.ts'
import type { NodeSampler } from './node-sampler.ts'
import { WaitingRounds, type RoundWatcher } from './waiting-rounds.ts'

/** If it is off by more than this in an hour, the clock was set, and nothing tells which of the two times is right. */
const clockErrorSeconds = 300

export interface AgentSettings {
  readonly intervalSeconds: number
  readonly retention: Retention
  /** How many GPUs a job on a node that has some is taken to have asked for; null: nothing is implied. */
  readonly impliedGpus: number | null
  /** Where Slurm's commands are. */
  readonly slurm?: ToolPlace
}

/** Takes a round each interval and keeps it, until it is stopped. */
export class AgentLoop {
  readonly #system: System
  readonly #store: NodeStore
  readonly #sampler: NodeSampler
  readonly #watcher: RoundWatcher
  #settings: AgentSettings
  #cancel: (() => void) | undefined
  readonly #rounds: WaitingRounds
  #tidied: Moment
  #next: number

  constructor(
    system: System,
    parts: {
      readonly store: NodeStore
      readonly sampler: NodeSampler
      readonly watcher: RoundWatcher
    },
    settings: AgentSettings,
  ) {
    this.#system = system
    this.#store = parts.store
    this.#sampler = parts.sampler
    this.#watcher = parts.watcher
    this.#settings = settings
    this.#rounds = new WaitingRounds(parts.store, parts.watcher)
    this.#tidied = this.#now()
    this.#next = system.clock.monotonicSeconds() + settings.intervalSeconds
  }

  start(): void {
    this.#wait()
  }

  /** Takes the next rounds by these; the one that is waited for comes no later than they say. */
  change(settings: AgentSettings): void {
    const now = this.#system.clock.monotonicSeconds()
    this.#settings = settings
    this.#next = Math.min(this.#next, now + settings.intervalSeconds)
    this.#sampler.refreshNames()
    if (this.#cancel === undefined) return
    this.#cancel()
    this.#wait()
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  /** Takes a round now. What goes wrong is reported, and never thrown. */
  round(): void {
    try {
      const round = this.#sampler.round(this.#settings.impliedGpus, this.#settings.slurm)
      if (!this.#store.isInPlace()) {
        this.#watcher.lost(
          `${this.#store.path}: the database was deleted or replaced while the agent wrote to it; start the agent again`,
        )
        return
      }
      this.#rounds.add(round)
      this.#tidy()
    } catch (error) {
      this.#watcher.failed(error instanceof Error ? error.message : String(error))
    }
  }

  #wait(): void {
    const { clock } = this.#system
    this.#cancel = clock.after(Math.max(0, this.#next - clock.monotonicSeconds()), () => {
      this.round()
      const { intervalSeconds } = this.#settings
      const late = clock.monotonicSeconds() - this.#next
      // After a long sleep of the machine no rounds are made up for.
      this.#next += intervalSeconds * Math.max(1, Math.ceil(late / intervalSeconds))
      this.#wait()
    })
  }

  /** Once an hour. A clock that was set to another year must not throw everything away that was kept before. */
  #tidy(): void {
    const before = this.#tidied
    const now = this.#now()
    const seconds = now.monotonic - before.monotonic
    if (seconds < hourSeconds) return
    this.#tidied = now
    if (Math.abs(now.wall - before.wall - seconds) > clockErrorSeconds) return
    this.#store.keepOnly(this.#settings.retention, now.wall)
  }

  #now(): Moment {
    const { clock } = this.#system
    return { wall: clock.wallSeconds(), monotonic: clock.monotonicSeconds() }
  }
}

interface Moment {
  readonly wall: number
  readonly monotonic: number
}
