import type { Files } from '../../system/system.ts'
import { parseFdinfo, type DrmClient } from './fdinfo.ts'
import type { GpuCard } from './gpu-card.ts'
import { kfdBytes, kfdIds } from './kfd.ts'

/** Descriptors of a process are listed anew after so many looks: that takes a call for each of them. */
const looksBetweenLists = 10
/** Of a process with more, the first ones: a card is opened early. */
const mostDescriptors = 512

interface KnownProcess {
  descriptors: readonly number[]
  /** Computes by AMD's other driver, of whose work the kernel keeps no account for each process. */
  usesKfd: boolean
  listedFor: number
  /** By engine of each client: where its counter stood. */
  readonly before: Map<string, number>
}

/** Pids that somebody wants to know of; asked at each look. */
export interface WatchedPids {
  keys(): Iterable<number>
}

/**
 * What processes do on cards, by what the kernel tells of their open files. There is no list of a card's processes: only
 * those that somebody asks for are looked at.
 */
export class DrmProcesses {
  readonly #files: Files
  readonly #cards: ReadonlyMap<string, GpuCard>
  readonly #watched = new Set<WatchedPids>()
  readonly #known = new Map<number, KnownProcess>()
  /** By address, what numbers AMD's other driver has for a card. */
  readonly #kfdIds: ReadonlyMap<string, readonly string[]>
  /** Those that were counted at this look: a process that was forked has the files of its parent, with the same clients. */
  readonly #counted = new Set<string>()

  /** Cards by their addresses on the bus. */
  constructor(files: Files, cards: ReadonlyMap<string, GpuCard>) {
    this.#files = files
    this.#cards = cards
    this.#kfdIds = kfdIds(files)
    for (const { processes } of cards.values()) processes.listsAll = false
  }

  watch(pids: WatchedPids): () => void {
    this.#watched.add(pids)
    return () => this.#watched.delete(pids)
  }

  /** Fills in the processes of all cards; `seconds` since the last time. */
  look(seconds: number): void {
    for (const { processes } of this.#cards.values()) processes.count = 0
    this.#counted.clear()
    const alive = new Set<number>()
    for (const pids of this.#watched)
      for (const pid of pids.keys()) {
        if (alive.has(pid)) continue
        alive.add(pid)
        this.#lookAt(pid, seconds)
      }
    for (const pid of this.#known.keys()) if (!alive.has(pid)) this.#known.delete(pid)
  }

  #lookAt(pid: number, seconds: number): void {
    const known = this.#known.get(pid) ?? {
      descriptors: [],
      usesKfd: false,
      listedFor: 0,
      before: new Map(),
    }
    if (known.listedFor <= 0) {
      this.#listDescriptors(pid, known)
      known.listedFor = looksBetweenLists
    }
    known.listedFor -= 1
    this.#known.set(pid, known)
    for (const descriptor of known.descriptors) {
      const text = this.#files.readText(`/proc/${pid}/fdinfo/${descriptor}`)
      const client = text.kind === 'ok' ? parseFdinfo(text.value) : undefined
      const card = client === undefined ? undefined : this.#cards.get(client.card)
      if (client === undefined || card === undefined) continue
      const name = `${client.card}/${client.clientId || `${pid} fd ${descriptor}`}`
      if (this.#counted.has(name)) continue
      this.#counted.add(name)
      const busyPercent = busiestOf(client, name, known.before, seconds)
      if (!this.#isOnlyOpen(pid, known, client)) take(card.processes, pid, client, busyPercent)
    }
    if (known.usesKfd) this.#takeKfd(pid)
  }

  /**
   * Libraries open every card there is, also those that a program never uses: it has done no work there, and holds no memory
   * but what ROCm has for each card that is open.
   */
  #isOnlyOpen(pid: number, { usesKfd }: KnownProcess, client: DrmClient): boolean {
    if (hasWorked(client)) return false
    return !(client.memoryBytes > 0) || (usesKfd && this.#kfdBytes(pid, client.card) === 0)
  }

  #kfdBytes(pid: number, address: string): number {
    return kfdBytes(this.#files, pid, this.#kfdIds.get(address) ?? [])
  }

  /** Kernels differ in whether what is held through the other driver is told of the open file as well; its work is not told. */
  #takeKfd(pid: number): void {
    for (const [address, { processes }] of this.#cards) {
      const bytes = this.#kfdBytes(pid, address)
      if (bytes > 0) processes.add(pid, bytes)
      const at = processes.pids.indexOf(pid)
      if (at >= 0 && at < processes.count) processes.utilizationPercent[at] = Number.NaN
    }
  }

  /** Those that lead to a card. */
  #listDescriptors(pid: number, known: KnownProcess): void {
    const names = this.#files.list(`/proc/${pid}/fd`)
    const found: number[] = []
    for (const name of names.kind === 'ok' ? names.value.slice(0, mostDescriptors) : []) {
      const target = this.#files.readLink(`/proc/${pid}/fd/${name}`)
      if (target.kind !== 'ok') continue
      if (target.value.startsWith('/dev/dri/')) found.push(Number(name))
      else if (target.value === '/dev/kfd') known.usesKfd = true
    }
    known.descriptors = found
  }
}

type CardProcesses = GpuCard['processes']

function take(processes: CardProcesses, pid: number, client: DrmClient, busyPercent: number): void {
  const place = processes.place(pid)
  if (!Number.isNaN(client.memoryBytes))
    processes.memoryBytes[place] = (processes.memoryBytes[place] || 0) + client.memoryBytes
  const told = processes.utilizationPercent[place] ?? 0
  processes.utilizationPercent[place] = Math.min(100, told + busyPercent)
}

function hasWorked({ engineNanoseconds, engineCycles }: DrmClient): boolean {
  const cycles = [...engineCycles.values()].map(({ busy }) => busy)
  return [...engineNanoseconds.values(), ...cycles].some((worked) => worked > 0)
}

/** How much the busiest of a card's engines worked for a client in the last seconds, in percent. */
function busiestOf(
  client: DrmClient,
  name: string,
  before: Map<string, number>,
  seconds: number,
): number {
  let busiest = 0
  for (const [engine, nanoseconds] of client.engineNanoseconds) {
    const grown = grownBy(before, `${name} ${engine}`, nanoseconds)
    if (seconds > 0) busiest = Math.max(busiest, (100 * grown) / 1e9 / seconds)
  }
  for (const [engine, { busy, total }] of client.engineCycles) {
    const worked = grownBy(before, `${name} ${engine} busy`, busy)
    const passed = grownBy(before, `${name} ${engine} total`, total)
    if (passed > 0) busiest = Math.max(busiest, (100 * worked) / passed)
  }
  return busiest
}

/** By how much a counter grew since it was last seen; nothing at first, or where it went back. */
function grownBy(before: Map<string, number>, name: string, now: number): number {
  const known = before.get(name)
  before.set(name, now)
  return known === undefined || now < known ? 0 : now - known
}
