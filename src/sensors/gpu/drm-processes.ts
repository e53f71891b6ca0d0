import type { Clock, Files, Host } from '../../system/system.ts'
import { busiestOf, hasWorked, take } from './client-work.ts'
import { parseFdinfo, type DrmClient } from './fdinfo.ts'
import type { GpuCard, RunningProcess, WatchedProcesses } from './gpu-card.ts'
import { foreignPids, seesHostPids } from './host-pids.ts'
import { kfdBytes, kfdNodes } from './kfd.ts'

/** Whether processes have opened a card is asked no sooner than this, and not so often that it takes more than a twentieth. */
const leastSearchSeconds = 0.5
const mostSearchShare = 1 / 20
/** A card may take the place of a file that was closed, which no count of files shows: so long that may go unseen. */
const longestUnlistedSeconds = 10
/** Of a process with more, the first ones: a card is opened early. */
const mostDescriptors = 512

/** What is asked of a machine for them. */
interface DrmMachine {
  readonly files: Files
  readonly clock: Pick<Clock, 'monotonicSeconds' | 'bootSeconds'>
  readonly host: Pick<Host, 'ticksPerSecond'>
}

/** A card by what a process can have it by. */
export interface DrmNodes {
  readonly card: GpuCard
  /** On the bus. */
  readonly address: string
  /** Of its files in `/dev/dri`; empty where they are not known. */
  readonly names: readonly string[]
}

/** A file of a card that a process has open. */
interface CardFile {
  readonly descriptor: number
  /** Undefined as long as nothing tells whose it is. */
  card: GpuCard | undefined
  /** More than open, when it was last asked. */
  isInUse: boolean
  /** What is new on it was done after this: it was asked then, or was not open yet. NaN where it was always open. */
  since: number
  /** It was asked while the card was read. One that was opened while the card is left alone is asked then: work may follow. */
  isSettled: boolean
  /** The card was left alone since it was asked: what was done meanwhile is not known yet. */
  isBehind: boolean
}

interface KnownProcess {
  /** The look at which it was last there. */
  look: number
  readonly folder: string
  cardFiles: readonly CardFile[]
  /** Until when its open files were as listed, what it had done until then, and how many they were. */
  listedAt: number
  /** Until when they were as many. */
  countedAt: number
  doneThen: number
  filesThen: number
  /** Computes by AMD's other driver, of whose work the kernel keeps no account for each process. */
  usesKfd: boolean
  readonly clients: Map<string, AskedClient>
}

/** When a client was asked, and where the counters of its engines stood then. */
interface AskedClient {
  readonly at: number
  readonly counters: Map<string, number>
}

/**
 * What processes do on cards, by what the kernel tells of their open files. There is no list of a card's processes: only
 * those that somebody asks for are looked at.
 */
export class DrmProcesses {
  readonly #files: Files
  readonly #clock: Pick<Clock, 'monotonicSeconds' | 'bootSeconds'>
  readonly #ticksPerSecond: number
  /** By their addresses on the bus, and by their files. */
  readonly #cards: ReadonlyMap<string, GpuCard>
  readonly #byNode: ReadonlyMap<string, GpuCard>
  /** A file that is none of these is of another card. */
  readonly #knowsNodes: boolean
  readonly #watched = new Set<WatchedProcesses>()
  readonly #known = new Map<number, KnownProcess>()
  /** By address, what AMD's other driver has for a card. */
  readonly #kfdNodes: ReadonlyMap<string, ReturnType<typeof kfdNodes>>
  /** That driver names processes by the numbers of the host: here, one of them may be that of another process. */
  readonly #kfdIsForeign: boolean
  /** Those that were counted at this look: a process that was forked has the files of its parent, with the same clients. */
  readonly #counted = new Set<string>()
  #looks = 0
  #searchAt = -Infinity
  /** Of the look that goes on. */
  #now = Number.NaN
  #bootSeconds = Number.NaN
  /** Of the one before. */
  #bootSecondsThen = Number.NaN
  #seconds = 0
  #searches = false
  #undisturbed: ReadonlySet<GpuCard> = new Set()

  constructor({ files, clock, host }: DrmMachine, cards: readonly DrmNodes[]) {
    this.#files = files
    this.#clock = clock
    this.#ticksPerSecond = host.ticksPerSecond
    this.#cards = new Map(cards.map(({ address, card }) => [address, card]))
    this.#byNode = new Map(
      cards.flatMap(({ card, names }) => names.map((name) => [`/dev/dri/${name}`, card])),
    )
    this.#knowsNodes = cards.every(({ names }) => names.length > 0)
    this.#kfdNodes = Map.groupBy(kfdNodes(files), ({ address }) => address)
    this.#kfdIsForeign = !seesHostPids(files)
    for (const { card } of cards) card.processes.listsAll = false
  }

  watch(processes: WatchedProcesses): () => void {
    this.#watched.add(processes)
    return () => this.#watched.delete(processes)
  }

  /** Fills in the processes of all cards; `seconds` since the last time. Of `undisturbed` only what is new is asked. */
  look(seconds: number, undisturbed: ReadonlySet<GpuCard>): void {
    for (const { processes } of this.#cards.values()) {
      processes.count = 0
      processes.memoryLoss = null
      processes.lateSeconds = 0
      processes.lateBusySeconds.clear()
      processes.unseenPids.clear()
      processes.caughtUpPids.clear()
      processes.untoldPids.clear()
      processes.seconds = seconds
    }
    this.#counted.clear()
    this.#looks += 1
    this.#now = this.#clock.monotonicSeconds()
    this.#bootSecondsThen = this.#bootSeconds
    this.#bootSeconds = this.#clock.bootSeconds()
    this.#seconds = seconds
    this.#undisturbed = undisturbed
    this.#searches = this.#now >= this.#searchAt
    for (const processes of this.#watched) processes.forEach(this.#visit)
    for (const [pid, { look }] of this.#known) if (look !== this.#looks) this.#known.delete(pid)
    if (!this.#searches) return
    const tookSeconds = this.#clock.monotonicSeconds() - this.#now
    this.#searchAt = this.#now + Math.max(leastSearchSeconds, tookSeconds / mostSearchShare)
  }

  readonly #visit = (process: RunningProcess, pid: number): void => {
    let known = this.#known.get(pid)
    if (known?.look === this.#looks) return
    if (known === undefined) {
      known = newProcess(pid, this.#isNew(process) ? this.#now - this.#seconds : Number.NaN)
      this.#known.set(pid, known)
    }
    known.look = this.#looks
    if (this.#searches) this.#search(pid, known, process)
    if (known.cardFiles.length > 0 || known.usesKfd) this.#lookAt(pid, known)
  }

  /** It began after the last look: all that it did was done since. */
  #isNew({ startTicks }: RunningProcess): boolean {
    return (startTicks + 1) / this.#ticksPerSecond > this.#bootSecondsThen
  }

  /** Lists its open files where they may be others than before: a call for each of them. */
  #search(pid: number, known: KnownProcess, process: RunningProcess): void {
    const done = process.userTicks + process.systemTicks + process.minorFaults
    if (done === known.doneThen) {
      known.listedAt = known.countedAt = this.#now
      return
    }
    const files = this.#files.directorySize(known.folder)
    // Older kernels count nothing, and say 0.
    const isAsBefore = files > 0 && files === known.filesThen
    if (isAsBefore && this.#now - known.listedAt < longestUnlistedSeconds) {
      known.countedAt = this.#now
      return
    }
    const openedAfter = isAsBefore ? known.listedAt : known.countedAt
    known.listedAt = known.countedAt = this.#now
    known.doneThen = done
    known.filesThen = files
    this.#listDescriptors(pid, known, openedAfter)
  }

  #lookAt(pid: number, known: KnownProcess): void {
    for (const file of known.cardFiles) {
      const { card } = file
      if (card === undefined || this.#mayAsk(card, file)) this.#ask(pid, known, file)
      else this.#passOver(pid, file, card)
    }
    if (known.usesKfd) this.#takeKfd(pid)
  }

  #mayAsk(card: GpuCard, file: CardFile): boolean {
    return !this.#undisturbed.has(card) || (!card.isAsleep && !file.isSettled)
  }

  #passOver(pid: number, file: CardFile, card: GpuCard): void {
    // Who used a card before it fell asleep holds it still, and does nothing.
    if (file.isInUse) card.processes.place(pid)
    if (!card.isAsleep) {
      file.isBehind = true
      card.processes.unseenPids.add(pid)
    } else if (file.isBehind) {
      // What it did before the card fell asleep was not done in this time.
      file.since += this.#seconds
    } else if (file.since < this.#now) file.since = this.#now
  }

  #ask(pid: number, known: KnownProcess, file: CardFile): void {
    file.isInUse = false
    const text = this.#files.readText(`/proc/${pid}/fdinfo/${file.descriptor}`)
    const client = text.kind === 'ok' ? parseFdinfo(text.value) : undefined
    const card = client === undefined ? undefined : this.#cards.get(client.card)
    if (client === undefined || card === undefined) return
    file.card = card
    const name = `${client.card}/${client.clientId || `${pid} fd ${file.descriptor}`}`
    const asked = this.#askedBefore(known, name)
    const since = Math.max(asked?.at ?? file.since, file.since || -Infinity)
    const seconds = this.#now - since
    const counters = asked?.counters ?? new Map<string, number>()
    const busyPercent = busiestOf(client, counters, seconds)
    if (file.isBehind && asked !== undefined) card.processes.caughtUpPids.add(pid)
    // Noted of each that has it: who counts now may end, and another goes on from there.
    known.clients.set(name, { at: this.#now, counters })
    file.since = this.#now
    file.isBehind = false
    file.isSettled ||= !this.#undisturbed.has(card)
    if (this.#counted.has(name)) return
    this.#counted.add(name)
    if (this.#isOnlyOpen(pid, known, client)) return
    file.isInUse = true
    take(card.processes, pid, client, { busyPercent, lateSeconds: seconds - this.#seconds })
  }

  /** One that was forked has the clients of its parent: what that did before is not its own. */
  #askedBefore(known: KnownProcess, name: string): AskedClient | undefined {
    const own = known.clients.get(name)
    if (own !== undefined) return own
    for (const { clients } of this.#known.values()) {
      const other = clients.get(name)
      if (other !== undefined) return { at: other.at, counters: new Map(other.counters) }
    }
    return undefined
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
    if (this.#kfdIsForeign) return Number.NaN
    return kfdBytes(this.#files, pid, this.#kfdNodes.get(address) ?? [])
  }

  /** Kernels differ in whether what is held through the other driver is told of the open file as well; its work is not told. */
  #takeKfd(pid: number): void {
    for (const [address, { processes }] of this.#cards) {
      const bytes = this.#kfdBytes(pid, address)
      if (bytes > 0) processes.add(pid, bytes)
      const at = processes.pids.indexOf(pid)
      if (at < 0 || at >= processes.count) continue
      processes.utilizationPercent[at] = Number.NaN
      processes.lateBusySeconds.delete(pid)
      if (!this.#kfdIsForeign) continue
      processes.memoryBytes[at] = Number.NaN
      processes.memoryLoss = foreignPids
    }
  }

  /** Those that lead to a card. */
  #listDescriptors(pid: number, known: KnownProcess, openedAfter: number): void {
    const names = this.#files.list(known.folder)
    const found: CardFile[] = []
    known.usesKfd = false
    for (const name of names.kind === 'ok' ? names.value.slice(0, mostDescriptors) : []) {
      const target = this.#files.readLink(`/proc/${pid}/fd/${name}`)
      if (target.kind !== 'ok') continue
      if (target.value.startsWith('/dev/dri/')) {
        const card = this.#byNode.get(target.value)
        if (card === undefined && this.#knowsNodes) continue
        const before = known.cardFiles.find(({ descriptor }) => descriptor === Number(name))
        const file = before ?? { ...newFile, since: openedAfter }
        found.push({ ...file, descriptor: Number(name), card })
      } else if (target.value === '/dev/kfd') known.usesKfd = true
    }
    known.cardFiles = found
  }
}

const newFile = { isInUse: false, isSettled: false, isBehind: false }

/** `since`: it had no file open before; NaN where that is not known. */
const newProcess = (pid: number, since: number): KnownProcess => ({
  look: 0,
  folder: `/proc/${pid}/fd`,
  cardFiles: [],
  listedAt: since,
  countedAt: since,
  doneThen: Number.NaN,
  filesThen: Number.NaN,
  usesKfd: false,
  clients: new Map(),
})
