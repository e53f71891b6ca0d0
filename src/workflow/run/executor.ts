import type { Columns, DeviceRows } from '../../model/series.ts'
import type { LaunchRequest, LaunchResult } from '../../launch/request.ts'
import type { Requirements } from '../../model/job.ts'
import type { Machine, Owner } from '../../model/machine.ts'

/**
 * Where attempts run. It is handed an attempt, tells how that goes, and is asked to end it. What it tells may come late,
 * twice, out of order or not at all: who listens (`handed-over.ts`) makes one story of it. Every executor passes
 * `test/contracts/executor.ts`.
 */
export interface Executor {
  /** How to ask it again, where what it tells may get lost; null where nothing can. */
  readonly asking: Asking | null
  /** From now on it tells this one. Nothing is told from within a call of `start`, `cancel` or `ask` but `started`. */
  tellTo(listener: ExecutorListener): void
  /** Has an attempt started, now or when its turn comes. Where it can be asked, one handed over again is started once. */
  start(order: AttemptOrder): void
  /**
   * Has an attempt end, by `ended`, whether or not it has started. The first request sends the signal, and kills after the
   * grace time; the second kills. A request that comes again, with the same number, is the same request.
   */
  cancel(taskId: string, signal: NodeJS.Signals, request: number): void
  /**
   * Takes over attempts of a runner that died. Answers those that may still run, or whose end can still be told: of them is
   * told as of any other, and one that had not arrived is `gone` and never starts. The others are over for certain.
   */
  adopt(left: readonly LeftAttempt[]): readonly LeftAttempt[]
  /** Nothing runs any more, and nothing is to be told. */
  close(): void
}

/** For executors at a distance. */
export interface Asking {
  /** Who was silent for so long is asked. */
  readonly afterSeconds: number
  /** Of whom nothing was heard for so long is given up: not for dead, but for lost. */
  readonly giveUpSeconds: number
  /** Has the executor tell afresh how these attempts stand. */
  ask(taskIds: readonly string[]): void
}

/** What an executor tells of attempts, by their task ids. */
export interface ExecutorListener {
  /** It has arrived. `handle` is how the executor finds it again: JSON, to be kept as long as it runs. */
  accepted(taskId: string, handle: object): void
  /** It waits there, for this: a few words for people to read. Told by places that know. */
  waits?(taskId: string, why: string): void
  /** It runs. */
  started(taskId: string, figures: LiveFigures): void
  /** What was seen of it: `count` rows of samples with these columns, in a buffer that is used again. */
  sampled(taskId: string, rows: Float64Array, count: number, columns: Columns): void
  /** The same of what it uses besides its processes, such as GPUs. */
  devicesSampled(taskId: string, devices: readonly DeviceRows[]): void
  ended(taskId: string, result: AttemptResult): void
  /** It is over for certain, and nobody knows how it ended: its machine was lost. */
  gone(taskId: string, why: string): void
  /** Asked for an attempt that has not arrived. */
  unknown(taskId: string): void
  /** For the user. */
  note(message: string): void
  /** The same of what is wrong, such as a log that cannot be kept. */
  trouble(message: string): void
}

/** An attempt with all that is needed to run it somewhere: plain data. */
export interface AttemptOrder extends Omit<
  LaunchRequest,
  'onSamples' | 'onDevices' | 'onLogTrouble' | 'onStarted'
> {
  /** The host on which it is to run; its share of that is taken. */
  readonly node: string
  readonly requirements: Requirements
  /** Whether attempts of the same run get cgroups of their own, this one or others. */
  readonly besideCgroups: boolean
}

export interface AttemptResult extends LaunchResult {
  /** Seconds since 1970, where it did not start as soon as it was handed over. */
  readonly endedAt?: number
  /** Where it ran, if the executor chose the machine. */
  readonly machine?: Machine
}

/** Of an attempt that runs, as of the last look; null where nobody looked. */
export interface LiveFigures {
  /** Seconds since 1970, where it runs elsewhere and its start is known there. */
  readonly startedAt?: number | undefined
  readonly cpuPercent: number | null
  readonly memoryBytes: number | null
}

/** What a runner that died has left of an attempt, or of a script that was none. */
export interface LeftAttempt {
  readonly taskId: string
  /** The runner. */
  readonly owner: Owner
  readonly isScript: boolean
  /** What was noted of it (`left-note.ts`), with its handle; null where nothing was. */
  readonly note: string | null
}
