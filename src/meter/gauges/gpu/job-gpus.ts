import type { Measured } from '../../../model/measured.ts'
import type { GpuCard, WatchedProcesses } from '../../../sensors/gpu/gpu-card.ts'
import { seesHostPids } from '../../../sensors/gpu/host-pids.ts'
import type { System } from '../../../system/system.ts'
import type { JobDevices } from '../../job-devices.ts'
import { cardsNamedBy, parseEnvironment } from './allocation.ts'
import { CardUse, higher } from './card-use.ts'
import { usageOfCards } from './gpu-figures.ts'
import { percentFor, type OwnPart } from './own-part.ts'
import { PeakWork, type CardAtLook } from './peak-work.ts'
import { SpanMean } from './span-mean.ts'
import type { WatchedCards } from './watched-cards.ts'

/** What is asked of a job that may use cards. */
export interface CardUser {
  readonly system: System
  readonly members: {
    readonly byPid: WatchedProcesses
    totals(): { readonly userTicks: number; readonly systemTicks: number }
  }
  readonly devices: JobDevices
  readonly request?: { readonly watchesAllCards?: boolean }
}

/** What one job does on the cards of the machine. */
export class JobGpus {
  readonly #job: CardUser
  readonly #gpus: WatchedCards
  readonly #uses: readonly CardUse[]
  readonly #wanted = new Set<GpuCard>()
  readonly #own: OwnPart = {
    count: 0,
    others: 0,
    isUnknown: false,
    isUnseen: false,
    unseenPids: [],
    isUncounted: false,
    isWholeCard: false,
    memoryBytes: Number.NaN,
    utilizationPercent: Number.NaN,
    lateBusySeconds: 0,
    workShare: Number.NaN,
    toldPercent: Number.NaN,
    allToldPercent: Number.NaN,
  }
  readonly #isOnHost: boolean
  readonly #unwatch: () => void
  /** Whether its environment says which cards are its own. */
  readonly #isTold: boolean
  /** Processes on the cards have numbers that mean nothing here. */
  #pidsAreForeign = false
  /** Listed on a card at the last look though they were not there, and at this one. */
  #missing = new Set<number>()
  #missingNow = new Set<number>()
  /** A process of the job was found on a card: their numbers are those that we know. */
  #hasMet = false
  #isHeld = false
  /** None of its processes was left at the last look. */
  #isOver = false
  #memoryPeak = Number.NaN
  readonly #peak = new PeakWork()
  /** All its cards, and those that a look found to be its own: kept, for there are looks all the time. */
  readonly #seen: readonly CardAtLook[]
  readonly #atLook: CardAtLook[] = []
  /** The first look speaks of all the time before it. */
  #lookedAt = 0
  #cpuTicks = Number.NaN
  /** While it held a card. */
  readonly #heldCores = new SpanMean()
  #looks = -1

  constructor(job: CardUser, gpus: WatchedCards, environment: string) {
    this.#job = job
    this.#gpus = gpus
    this.#unwatch = gpus.watch(job.members.byPid)
    this.#isOnHost = seesHostPids(job.system.files)
    const named = cardsNamedBy(parseEnvironment(environment), gpus.cards)
    this.#isTold = named !== null
    this.#uses = gpus.cards.flatMap((card) => (card.isDivided ? [] : [new CardUse(card)]))
    this.#seen = this.#uses.map((use) => ({ use, percent: Number.NaN, isDivided: false }))
    for (const use of this.#uses) {
      use.isGiven = named?.includes(use.card) ?? false
      use.takesUnlisted = use.isGiven || job.request?.watchesAllCards === true
    }
  }

  /** Has the cards asked for what the next look is to tell. */
  ask(): void {
    this.#gpus.ask()
  }

  /** `last`: the job is over, and what is dear is asked once more. */
  look(elapsedSeconds: number, kind: 'row' | 'no row' | 'last'): void {
    this.#gpus.look(kind === 'last')
    // One look serves all jobs, and several of one job that are close together: nothing is added up twice.
    const isNew = this.#gpus.looks !== this.#looks
    const isFirst = this.#looks === -1
    this.#looks = this.#gpus.looks
    // What a card did after the last process of the job ended was for others; until then it was not.
    const seconds = this.#isOver ? 0 : Math.max(0, elapsedSeconds - this.#lookedAt)
    if (isNew) {
      this.#lookedAt = elapsedSeconds
      this.#isOver = this.#job.members.byPid.size === 0
    }
    const heldBefore = this.#isHeld
    this.#isHeld = false
    // A list that is as it was names who has ended, again.
    if (isNew && this.#gpus.cards.every(({ isStale }) => !isStale)) {
      const { size } = this.#missing
      if (size > 0 || this.#missingNow.size > 0) {
        this.#missing = this.#missingNow
        this.#missingNow = new Set()
      }
    }
    let memory = Number.NaN
    this.#atLook.length = 0
    for (const seen of this.#seen) {
      const { use } = seen
      if (isNew && use.takesUnlisted && !this.#isOver)
        use.unlistedWork.look(use.card, elapsedSeconds, seconds)
      const own = this.#ownPart(use)
      if (isFirst) spreadOver(seconds, own, use.card)
      const shares = this.#gpus.sharesOf(use.card)
      if (isNew) use.take(own, { elapsedSeconds, seconds, isOver: this.#isOver, shares })
      if (!this.#isOwn(use)) continue
      if (own.count > 0 || (own.isUnknown && use.card.failure === null)) this.#isHeld = true
      this.#want(use.card)
      if (kind === 'row') use.keep(this.#job.devices, own, elapsedSeconds)
      if (own.memoryBytes >= 0) memory = (memory || 0) + own.memoryBytes
      seen.percent = own.utilizationPercent
      seen.isDivided = own.count > 0 && own.others > 0 && shares !== undefined
      this.#atLook.push(seen)
    }
    this.#memoryPeak = higher(this.#memoryPeak, memory)
    if (!isNew) return
    this.#takeCpu(seconds, heldBefore && this.#isHeld)
    this.#peak.look(this.#atLook, seconds)
  }

  /** Cores that were busy since the last look count where a card was held then and now. */
  #takeCpu(seconds: number, isHeld: boolean): void {
    const { userTicks, systemTicks } = this.#job.members.totals()
    const ticks = userTicks + systemTicks - this.#cpuTicks
    this.#cpuTicks = userTicks + systemTicks
    if (isHeld) this.#heldCores.add(ticks / this.#job.system.host.ticksPerSecond / seconds, seconds)
  }

  figures(durationSeconds: number): Readonly<Record<string, Measured>> {
    if (this.#uses.some((use) => this.#isOwn(use)))
      this.look(Math.max(durationSeconds, this.#lookedAt), 'last')
    for (const card of this.#wanted) this.#gpus.unwant(card)
    this.#unwatch()
    return usageOfCards({
      uses: this.#uses.filter((use) => this.#isOwn(use)),
      maybeUsed: this.#uses.filter((use) => !this.#isOwn(use) && this.#mayHaveUsed(use)),
      isTold: this.#isTold,
      pidsAreForeign: this.#pidsAreForeign,
      memoryPeak: this.#memoryPeak,
      heldCores: this.#heldCores.mean,
      peak: this.#peak,
      durationSeconds,
    })
  }

  /** Given to it, or used by it; all that it could use where processes cannot be told. */
  #isOwn(use: CardUse): boolean {
    if (this.#job.request?.watchesAllCards === true) return true
    return use.isGiven || use.isTouched || (this.#pidsAreForeign && !this.#isTold)
  }

  /** One of which its environment says nothing may have been used where its driver never answered. */
  #mayHaveUsed({ card, unseenSeconds }: CardUse): boolean {
    return unseenSeconds > 0 || (card.isUnread && !this.#isTold)
  }

  #want(card: GpuCard): void {
    if (this.#wanted.has(card)) return
    this.#wanted.add(card)
    this.#gpus.want(card)
  }

  /**
   * In a container processes may be listed by the numbers that the host has for them. One that has just ended is not there
   * either, but is not listed again.
   */
  #noteStranger(pid: number): void {
    if (this.#isOnHost || this.#hasMet || this.#job.system.processes.exists(pid)) return
    if (this.#missing.has(pid)) this.#pidsAreForeign = true
    this.#missingNow.add(pid)
  }

  /** What the job's processes do on a card. The answer is used again for the next card. */
  #ownPart({ card, unlistedWork }: CardUse): OwnPart {
    const own = this.#own
    const { processes } = card
    own.count = 0
    own.others = 0
    own.memoryBytes = 0
    for (let at = 0; at < processes.count; at++) {
      const pid = processes.pids[at] ?? 0
      if (!this.#job.members.byPid.has(pid)) {
        own.others += 1
        // Where only processes that we name are looked at, all numbers are ours.
        if (processes.listsAll && !card.isStale) this.#noteStranger(pid)
        continue
      }
      own.count += 1
      own.memoryBytes += processes.memoryBytes[at] ?? Number.NaN
    }
    // Where an answer is missing, nothing else is asked.
    if (own.count > 0 && own.others > 0 && !card.isStale) this.#gpus.needShares(card)
    this.#addShares(card)
    if (own.count > 0) this.#pidsAreForeign = false
    this.#hasMet ||= own.count > 0
    const isLost = processes.loss !== null || unlistedWork.isSure
    own.isUnknown = this.#pidsAreForeign || isLost
    own.unseenPids = [...processes.unseenPids].filter((pid) => this.#job.members.byPid.has(pid))
    own.isUnseen = own.count === 0 && own.unseenPids.length > 0
    if (own.isUnknown || own.isUnseen) own.memoryBytes = Number.NaN
    const isUntold = !processes.tellsUtilization || Number.isNaN(own.toldPercent)
    own.isWholeCard = isLost || (own.count > 0 && !processes.listsAll && isUntold)
    own.isUncounted = !own.isWholeCard && this.#hasAnyOf(processes.untoldPids)
    own.utilizationPercent = percentFor(card, own, this.#gpus.sharesOf(card) !== undefined)
    return own
  }

  #hasAnyOf(pids: Iterable<number>): boolean {
    for (const pid of pids) if (this.#job.members.byPid.has(pid)) return true
    return false
  }

  #addShares(card: GpuCard): void {
    const own = this.#own
    const { processes } = card
    const shares = this.#gpus.sharesOf(card)
    own.toldPercent = own.allToldPercent = own.lateBusySeconds = 0
    /** By answers that tell all that a process did in their time. */
    let [known, ownKnown] = [0, 0]
    let [untold, ownUntold] = [0, 0]
    for (let at = 0; at < processes.count; at++) {
      const share = processes.utilizationPercent[at] ?? Number.NaN
      const pid = processes.pids[at] ?? 0
      const isOwn = this.#job.members.byPid.has(pid)
      const isTold = shares === undefined || shares.tells(pid)
      own.allToldPercent += share
      if (isTold) known += share
      else untold += 1
      if (!isOwn) continue
      own.toldPercent += share
      if (isTold) ownKnown += share
      else ownUntold += 1
      own.lateBusySeconds += processes.lateBusySeconds.get(pid) ?? 0
    }
    // Where two engines were busy, too.
    own.lateBusySeconds = Math.min(own.lateBusySeconds, processes.lateSeconds)
    const { count } = processes
    // Power falls slowly after the work is done: whose it was is not told then. Nor is what a process does that has just come.
    const knownPart = known === 0 ? (own.count - ownUntold) / (count - untold) : ownKnown / known
    if (own.count === 0) own.workShare = 0
    else if (untold === count) own.workShare = own.count / count
    else own.workShare = (knownPart * (count - untold) + ownUntold) / count
  }
}

/** The first look at a job speaks of all the time since it began, and shares of that since the last look at the card. */
function spreadOver(seconds: number, own: OwnPart, { processes }: GpuCard): void {
  if (own.isWholeCard || !(processes.seconds > 0) || seconds === 0) return
  own.utilizationPercent = Math.min(100, (own.utilizationPercent * processes.seconds) / seconds)
}
