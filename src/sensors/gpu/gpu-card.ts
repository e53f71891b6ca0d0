import type { GpuVendor } from '../../model/gpu-usage.ts'

/** When a process began, and what grows when it does something: one that has not run has opened nothing. */
export interface RunningProcess {
  /** When it began, since the machine was started. */
  readonly startTicks: number
  readonly userTicks: number
  readonly systemTicks: number
  readonly minorFaults: number
}

/** Processes that somebody wants to know of, by their pids; asked at each look. */
export type WatchedProcesses = ReadonlyMap<number, RunningProcess>

/** What identifies a card. */
export interface GpuIdentity {
  readonly vendor: GpuVendor
  /** What tells of it, such as `NVML`. */
  readonly source: string
  /** Its place among the cards of its vendor, from 0; a MIG instance has a place of its own after all cards. */
  readonly index: number
  /** Unique on the machine: a UUID, or a PCI address. */
  readonly id: string
  readonly name: string
  /** The card that a MIG instance is a part of. */
  readonly parentId: string | null
}

/** Why a card does not run as fast as it could; bits of `throttle`. */
export const throttledBy = { power: 1, heat: 2 } as const

/** Shares of the card's units in use, between two looks at its counters. Percent, and bytes a second. */
export class GpuActivity {
  /** Counts the readings: a new one has another number. */
  readings = 0
  /** How much time it speaks of. */
  seconds = Number.NaN
  graphicsPercent = Number.NaN
  smActivePercent = Number.NaN
  smOccupancyPercent = Number.NaN
  tensorPercent = Number.NaN
  dramPercent = Number.NaN
  integerPercent = Number.NaN
  fp64Percent = Number.NaN
  fp32Percent = Number.NaN
  fp16Percent = Number.NaN
  pcieBytesPerSecond = Number.NaN
  nvlinkBytesPerSecond = Number.NaN
}

/** The processes on a card. Arrays that grow and are used again: this runs at every look. */
class GpuProcesses {
  count = 0
  pids: number[] = []
  /** NaN where it is not told. */
  memoryBytes: number[] = []
  /** Of the whole card, as of the last time that shares were told; NaN where they are not. */
  utilizationPercent: number[] = []
  /** Counts the answers about shares, where these are asked for apart: a new one has another number. */
  sharesAnswers = 0
  /** For so long before the last look something was done that is told only now, and seconds of work then by pid. */
  lateSeconds = 0
  readonly lateBusySeconds = new Map<number, number>()
  /** Why they are not known, as their source says; null where they are. */
  loss: string | null = null
  /** Why the memory of some of them is not known, though they are; null where it is. */
  memoryLoss: string | null = null
  /** Whether these are all processes on the card, and not only those that somebody asked for. */
  listsAll = true
  /** Whether the share of each is told. */
  tellsUtilization = true
  /** Those that have the card open and are not asked while it is left alone: that they are not listed says nothing. */
  readonly unseenPids = new Set<number>()
  /** Those that were unseen before, and tell now what they did since they were last asked. */
  readonly caughtUpPids = new Set<number>()
  /** Those that had worked before they were first asked: what of it was done since the last look is not told. */
  readonly untoldPids = new Set<number>()
  /** The time that shares are told of, where they are told at every look; 0 at the first. */
  seconds = Number.NaN

  /** Adds to a process, which may be there already: one may both compute and draw. */
  add(pid: number, bytes: number): void {
    const at = this.place(pid)
    if (Number.isNaN(bytes)) return
    this.memoryBytes[at] = Math.max(this.memoryBytes[at] || 0, bytes)
  }

  /** The place of a process; it gets one if it has none. */
  place(pid: number): number {
    for (let at = 0; at < this.count; at++) if (this.pids[at] === pid) return at
    const at = this.count++
    this.pids[at] = pid
    this.memoryBytes[at] = Number.NaN
    this.utilizationPercent[at] = 0
    return at
  }
}

/** By the figure that is missing for it. */
export type GpuOddities = Partial<Record<GpuFigure, string>>

/** What a card may tell wrongly: figures of its own, and the memory of each of its processes. */
export type GpuFigure =
  | 'utilizationPercent'
  | 'memoryUtilizationPercent'
  | 'memoryUsedBytes'
  | 'memoryTotalBytes'
  | 'temperatureCelsius'
  | 'powerWatts'
  | 'powerLimitWatts'
  | 'clockMegahertz'
  | 'mostClockMegahertz'
  | 'energyJoules'
  | 'eccErrors'
  | 'processMemoryBytes'

/** A card as it was last seen. One object for as long as it is watched; NaN is "not told". */
export class GpuCard {
  readonly identity: GpuIdentity
  /** Its place among all cards of the machine, whoever made them. */
  number: number
  utilizationPercent = Number.NaN
  memoryUtilizationPercent = Number.NaN
  memoryUsedBytes = Number.NaN
  memoryTotalBytes = Number.NaN
  temperatureCelsius = Number.NaN
  powerWatts = Number.NaN
  powerLimitWatts = Number.NaN
  /** The least that it drew while nothing ran on it, since it is watched. */
  idlePowerWatts = Number.NaN
  clockMegahertz = Number.NaN
  mostClockMegahertz = Number.NaN
  /** Bits of `throttledBy`. */
  throttle = Number.NaN
  /** Since the driver was loaded; read seldom. */
  energyJoules = Number.NaN
  /** What it drew since that was read, by its power at the looks. */
  joulesSince = 0
  /** Its driver did not answer in time at the last look: until it does, or has failed, the card is as it was before. */
  isStale = false
  eccErrors = Number.NaN
  readonly activity = new GpuActivity()
  /** Why `activity` is not told; null where it is. */
  activityLoss: string | null = 'the card has no counters for it'
  readonly processes = new GpuProcesses()
  /** Whether it is divided into MIG instances, which jobs use in its place. */
  isDivided = false
  /** What ROCm counts it as, or its parts; empty where it does not know the card, and null where that is not told. */
  rocmNumbers: readonly number[] | null = null
  /** It is part of a CPU package, and its power is that of the package, or part of it. */
  isInCpuPackage = false
  /** The kernel has put it to sleep, and it is not woken to be read. */
  isAsleep = false
  /** It does nothing that we know of, and is not read for some seconds so that it can fall asleep. */
  isLeftAlone = false
  /** Why it cannot be read any more; null while it can. */
  failure: string | null = null
  /** No look at it was ever answered: it may well work. `failure` says why it is not known. */
  isUnread = false
  /** What it told and cannot be, which was passed over: the first of each figure. */
  oddities: GpuOddities = {}
  #tellsMemoryUse = false

  constructor(identity: GpuIdentity) {
    this.identity = identity
    this.number = identity.index
  }

  /** What it said before does not hold any more. */
  fail(why: string): void {
    this.failure = why
    this.isAsleep = this.isLeftAlone = false
    this.#forget()
    this.processes.count = 0
    this.processes.loss = why
  }

  /** It was found by somebody who is asked for the rest: until the first answer, nothing is known of it, not that it does nothing. */
  awaitAnswer(): void {
    this.fail('the GPU driver had not answered yet')
    this.isUnread = true
  }

  /** A card that sleeps does nothing, which is certain; what else it would tell is not known. */
  sleep(): void {
    this.isAsleep = true
    this.isLeftAlone = false
    this.#forget()
    this.utilizationPercent = 0
    if (this.#tellsMemoryUse) this.memoryUtilizationPercent = 0
  }

  /** What it does while nobody asks is not known: others may use it. */
  leaveAlone(): void {
    this.isAsleep = false
    this.isLeftAlone = true
    this.#forget()
  }

  /** It is read again. */
  rouse(): void {
    this.isAsleep = this.isLeftAlone = false
  }

  #forget(): void {
    this.#tellsMemoryUse ||= !Number.isNaN(this.memoryUtilizationPercent)
    this.utilizationPercent = Number.NaN
    this.memoryUtilizationPercent = Number.NaN
    this.memoryUsedBytes = Number.NaN
    this.temperatureCelsius = Number.NaN
    this.powerWatts = Number.NaN
    this.clockMegahertz = Number.NaN
    this.throttle = Number.NaN
  }
}

/** All cards that one source tells of. */
export interface GpuSource {
  /** `NVML`, `nvidia-smi`, … */
  readonly name: string
  readonly cards: readonly GpuCard[]
  /**
   * Asks ahead for what the look that follows at once is to tell, where the answer takes a while and may come while others
   * are read. To ask twice is to ask once.
   */
  ask?(seldom: boolean): void
  /**
   * Brings every card up to date. `seldom` also asks for what is dear: energy and errors. What a card no longer tells is
   * NaN, and one that fails says so; nothing is thrown. False where no answer came in time: every card is as it was then, or
   * has failed.
   */
  look(seldom: boolean): boolean
  /** Reads the counters of `activity` of these cards; what they did since the last time is told then. */
  lookAtActivity(cards: readonly GpuCard[]): void
  /** Asks for the share of each process on a card where that is too dear for a look; the answer stands until the next. */
  lookAtShares?(card: GpuCard): void
  /**
   * Has these processes looked at from now on, where a source cannot list the processes of a card by itself. The answer ends
   * that.
   */
  watch?(processes: WatchedProcesses): () => void
  close(): void
}
