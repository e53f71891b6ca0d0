import { SpanMean } from '../../meter/gauges/gpu/span-mean.ts'
import type { GpuCard, GpuSource, WatchedProcesses } from '../../sensors/gpu/gpu-card.ts'
import type { NodeDevice } from '../../model/node-round.ts'
import { addTold, toldSum } from '../../model/told-sum.ts'
import { presentSources } from '../../sensors/gpu/present-sources.ts'
import type { System } from '../../system/system.ts'
import { cardParts } from './card-parts.ts'

/** So often the cards are looked at, between rounds too: what they say is of the last second or so. */
const lookSeconds = 10

const foreignFiles =
  'AMD’s and Intel’s cards tell who uses them by the open files of processes, which only root can list'

/** What a process used of all cards. */
export interface ProcessGpuUse {
  /** null where its cards did not tell how busy they were, as MIG instances do not. */
  gpuSeconds: number | null
  /** null where none of its cards told its own power. */
  joules: number | null
  memoryBytes: number
  readonly cards: Set<GpuCard>
}

/** What all cards of the node did since the round before. */
export interface NodeGpuUse {
  readonly cards: number
  /** Also null where it is not known which processes used a card: who is on none that we know of may then have used it. */
  readonly gpuSeconds: number | null
  readonly joules: number | null
  readonly memoryBytes: number | null
  readonly memoryTotalBytes: number | null
  readonly byPid: ReadonlyMap<number, ProcessGpuUse>
  readonly devices: readonly NodeDevice[]
}

/** What is added up of a card between two rounds. */
interface CardRound {
  /** 1 is all of the card. */
  readonly busy: SpanMean
  readonly watts: SpanMean
  /** At some look nothing told how busy it was. One that was left alone was idle when it was last read, and takes no part. */
  isPartlyUntold: boolean
}

/** Of a card in a CPU package, what it draws itself is not told: its power is that of the package. */
const cardWatts = ({ powerWatts, isInCpuPackage }: GpuCard): number =>
  isInCpuPackage ? Number.NaN : powerWatts

/** Cards tell NaN where they tell nothing. */
const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

const busySecondsOf = ({ busy, isPartlyUntold }: CardRound): number | null =>
  isPartlyUntold ? addTold(orNull(busy.sum), null) : orNull(busy.sum)

const newRound = (): CardRound => ({
  busy: new SpanMean(),
  watts: new SpanMean(),
  isPartlyUntold: false,
})

const none: NodeGpuUse = {
  cards: 0,
  gpuSeconds: null,
  joules: null,
  memoryBytes: null,
  memoryTotalBytes: null,
  byPid: new Map(),
  devices: [],
}

/** The cards of the node, looked at every few seconds; nothing is loaded where there is none. */
export class NodeGpus {
  readonly #system: System
  readonly #find: typeof presentSources
  /** Whether the open files of all processes can be listed: by these, AMD's and Intel's cards tell who uses them. */
  readonly #seesOpenFiles: boolean
  #sources: readonly GpuSource[] = []
  readonly #silent = new Set<GpuSource>()
  #byPid = new Map<number, ProcessGpuUse>()
  #byCard = new Map<GpuCard, CardRound>()
  /** At some look since the round before. */
  #wasUnlisted = false
  #lookedAt = 0
  #cancel: (() => void) | undefined

  constructor(system: System, find: typeof presentSources = presentSources) {
    this.#system = system
    this.#find = find
    this.#seesOpenFiles = system.files.list('/proc/1/fd').kind === 'ok'
  }

  /** Why it is not known which processes use the cards; null where it is. */
  get whyUnlisted(): string | null {
    for (const { processes } of this.#cards()) {
      if (processes.loss !== null) return processes.loss
      if (!processes.listsAll && !this.#seesOpenFiles) return foreignFiles
    }
    return null
  }

  /** Finds the cards. To be waited for before the first round; it takes a while where there is a driver. */
  async open(): Promise<void> {
    this.#sources = await this.#find(this.#system)
    this.#lookedAt = this.#system.clock.monotonicSeconds()
    if (this.#sources.length > 0) this.#wait()
  }

  /** To be called once the cards are found: some tell only what these processes do. */
  watch(processes: WatchedProcesses): void {
    for (const source of this.#sources) source.watch?.(processes)
  }

  round(): NodeGpuUse {
    if (this.#sources.length === 0) return none
    this.#look()
    const cards = this.#cards()
    const rounds = [...this.#byCard.values()]
    const told = {
      cards: cards.length,
      gpuSeconds: this.#wasUnlisted ? null : toldSum(rounds.map(busySecondsOf)),
      joules: toldSum(rounds.map(({ watts }) => orNull(watts.sum))),
      memoryBytes: toldSum(cards.map(({ memoryUsedBytes }) => orNull(memoryUsedBytes))),
      memoryTotalBytes: toldSum(cards.map(({ memoryTotalBytes }) => orNull(memoryTotalBytes))),
      byPid: this.#byPid,
      // Also those that have failed since: what they did before is in the sums.
      devices: Array.from(this.#byCard, ([card, round]) => deviceOf(card, round)),
    }
    this.#byPid = new Map()
    this.#byCard = new Map()
    this.#wasUnlisted = false
    return told
  }

  close(): void {
    this.#cancel?.()
    for (const source of this.#sources) source.close()
    this.#sources = []
  }

  #wait(): void {
    this.#cancel = this.#system.clock.after(lookSeconds, () => {
      this.#look()
      this.#wait()
    })
  }

  /** A card that is divided is reported by its instances. */
  #cards(): GpuCard[] {
    return this.#sources.flatMap((source) =>
      this.#silent.has(source)
        ? []
        : source.cards.filter(({ isDivided, failure }) => !isDivided && failure === null),
    )
  }

  #look(): void {
    const now = this.#system.clock.monotonicSeconds()
    const seconds = now - this.#lookedAt
    this.#lookedAt = now
    this.#silent.clear()
    for (const source of this.#sources)
      try {
        this.#ask(source)
      } catch {
        // What its cards said before is not what they do now: they are not there for this look.
        this.#silent.add(source)
      }
    this.#wasUnlisted ||= this.whyUnlisted !== null
    for (const use of this.#byPid.values()) use.memoryBytes = 0
    const cards = new Set(this.#cards())
    for (const [card, round] of this.#byCard) if (!cards.has(card)) round.isPartlyUntold = true
    for (const card of cards) this.#count(card, seconds)
  }

  #ask(source: GpuSource): void {
    source.look(false)
    // A process that is alone on its card has used all of it.
    for (const card of source.cards)
      if (!card.isDivided && card.processes.count > 1) source.lookAtShares?.(card)
  }

  #count(card: GpuCard, seconds: number): void {
    const busy = card.utilizationPercent / 100
    const watts = cardWatts(card)
    const round = this.#byCard.get(card) ?? newRound()
    this.#byCard.set(card, round)
    round.busy.add(busy, seconds)
    if (Number.isNaN(busy) && !card.isLeftAlone) round.isPartlyUntold = true
    round.watts.add(watts, seconds)
    const { pids, memoryBytes } = card.processes
    for (const [at, part] of cardParts(card).entries()) {
      const use = this.#useOf(pids[at] ?? 0)
      const worked = part.busy * seconds + part.lateSeconds
      use.gpuSeconds = addTold(use.gpuSeconds, orNull(worked))
      if (watts >= 0) use.joules = (use.joules ?? 0) + part.power * watts * seconds
      use.memoryBytes += memoryBytes[at] || 0
      use.cards.add(card)
    }
  }

  #useOf(pid: number): ProcessGpuUse {
    const known = this.#byPid.get(pid)
    if (known !== undefined) return known
    const use = { gpuSeconds: 0, joules: null, memoryBytes: 0, cards: new Set<GpuCard>() }
    this.#byPid.set(pid, use)
    return use
  }
}

function deviceOf(card: GpuCard, round: CardRound): NodeDevice {
  const { vendor, index, name } = card.identity
  return {
    kind: 'gpu',
    name: `${vendor} ${index} ${name}`,
    inBytes: null,
    outBytes: null,
    busySeconds: busySecondsOf(round),
    joules: orNull(round.watts.sum),
    memoryBytes: orNull(card.memoryUsedBytes),
  }
}
