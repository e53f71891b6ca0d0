import type { GpuCard, GpuSource } from '../../sensors/gpu/gpu-card.ts'
import type { NodeDevice } from '../../model/node-round.ts'
import { presentSources } from '../../sensors/gpu/present-sources.ts'
import type { System } from '../../system/system.ts'

/** So often the cards are looked at, between rounds too: what they say is of the last second or so. */
const lookSeconds = 10

/** What a process used of all cards. */
export interface ProcessGpuUse {
  gpuSeconds: number
  joules: number
  memoryBytes: number
  readonly cards: Set<GpuCard>
}

/** What all cards of the node did since the round before. */
export interface NodeGpuUse {
  readonly cards: number
  readonly gpuSeconds: number | null
  readonly joules: number | null
  readonly memoryBytes: number | null
  readonly memoryTotalBytes: number | null
  readonly byPid: ReadonlyMap<number, ProcessGpuUse>
  readonly devices: readonly NodeDevice[]
}

interface CardUse {
  busySeconds: number
  joules: number
}

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
  #sources: readonly GpuSource[] = []
  readonly #silent = new Set<GpuSource>()
  #byPid = new Map<number, ProcessGpuUse>()
  #byCard = new Map<GpuCard, CardUse>()
  #gpuSeconds = 0
  #joules = 0
  #lookedAt = 0
  #cancel: (() => void) | undefined

  constructor(system: System) {
    this.#system = system
  }

  /** Finds the cards. To be waited for before the first round; it takes a while where there is a driver. */
  async open(): Promise<void> {
    this.#sources = await presentSources(this.#system)
    this.#lookedAt = this.#system.clock.monotonicSeconds()
    if (this.#sources.length > 0) this.#wait()
  }

  round(): NodeGpuUse {
    if (this.#sources.length === 0) return none
    this.#look()
    const cards = this.#cards()
    const sum = (of: (card: GpuCard) => number): number | null => {
      const values = cards.map(of).filter((value) => !Number.isNaN(value))
      return values.length === 0 ? null : values.reduce((total, value) => total + value, 0)
    }
    const told = {
      cards: cards.length,
      gpuSeconds: this.#gpuSeconds,
      joules: this.#joules,
      memoryBytes: sum(({ memoryUsedBytes }) => memoryUsedBytes),
      memoryTotalBytes: sum(({ memoryTotalBytes }) => memoryTotalBytes),
      byPid: this.#byPid,
      devices: cards.map((card) => deviceOf(card, this.#byCard.get(card))),
    }
    this.#byPid = new Map()
    this.#byCard = new Map()
    this.#gpuSeconds = 0
    this.#joules = 0
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
    for (const use of this.#byPid.values()) use.memoryBytes = 0
    for (const card of this.#cards()) this.#count(card, seconds)
  }

  #ask(source: GpuSource): void {
    source.look(false)
    // A process that is alone on its card has used all of it.
    for (const card of source.cards)
      if (!card.isDivided && card.processes.count > 1) source.lookAtShares?.(card)
  }

  #count(card: GpuCard, seconds: number): void {
    const busy = (card.utilizationPercent || 0) / 100
    const joules = (card.powerWatts || 0) * seconds
    this.#gpuSeconds += busy * seconds
    this.#joules += joules
    const ofCard = this.#byCard.get(card) ?? { busySeconds: 0, joules: 0 }
    ofCard.busySeconds += busy * seconds
    ofCard.joules += joules
    this.#byCard.set(card, ofCard)
    const { count, pids, memoryBytes, utilizationPercent, tellsUtilization } = card.processes
    let told = 0
    for (let at = 0; at < count; at++) told += utilizationPercent[at] || 0
    for (let at = 0; at < count; at++) {
      // Where the shares are not told, or all of them are 0 on a busy card, they are taken to be equal.
      const part = tellsUtilization && told > 0 ? (utilizationPercent[at] || 0) / told : 1 / count
      const use = this.#useOf(pids[at] ?? 0)
      use.gpuSeconds += part * busy * seconds
      use.joules += part * joules
      use.memoryBytes += memoryBytes[at] || 0
      use.cards.add(card)
    }
  }

  #useOf(pid: number): ProcessGpuUse {
    const known = this.#byPid.get(pid)
    if (known !== undefined) return known
    const use = { gpuSeconds: 0, joules: 0, memoryBytes: 0, cards: new Set<GpuCard>() }
    this.#byPid.set(pid, use)
    return use
  }
}

function deviceOf(card: GpuCard, use: CardUse | undefined): NodeDevice {
  const { vendor, index, name } = card.identity
  const told = (value: number, counted: number | undefined): number | null =>
    Number.isNaN(value) ? null : (counted ?? 0)
  return {
    kind: 'gpu',
    name: `${vendor} ${index} ${name}`,
    inBytes: null,
    outBytes: null,
    busySeconds: told(card.utilizationPercent, use?.busySeconds),
    joules: told(card.powerWatts, use?.joules),
    memoryBytes: Number.isNaN(card.memoryUsedBytes) ? null : card.memoryUsedBytes,
  }
}
