import { atLeast, measured, unmeasured, type Measured } from '../../model/measured.ts'
import type { ColumnDefinition } from '../../model/sample.ts'
import type { FigureDefinition } from '../../model/usage.ts'
import type { ColumnOf, FollowedEnd, FollowedGauge, Gauge, KeyOf, MeteredJob } from './gauge.ts'
import { blindWords, longestBlindSeconds } from './memory/peak-memory.ts'
import { accountedFigure } from './whole-account.ts'

const columns = [
  { name: 'num_processes', kind: 'gauge', says: 'living processes' },
  { name: 'num_threads', kind: 'gauge', says: 'living threads' },
] as const satisfies readonly ColumnDefinition[]

const figures = [
  { key: 'voluntarySwitches', says: 'times a process gave up its core to wait' },
  { key: 'involuntarySwitches', says: 'times a process was taken off its core for another' },
  { key: 'processesPeak', says: 'the most processes at one look' },
  { key: 'threadsPeak', says: 'the most threads at one look' },
  {
    key: 'processesStarted',
    says: 'processes ever started; this version reports only a lower bound, in `unmeasured`',
  },
] as const satisfies readonly FigureDefinition[]

type Column = ColumnOf<typeof columns>
type Key = KeyOf<typeof figures>

/** At each look and glance: `/proc/PID/stat` of every process. Switches are told by the kernel's accounting at exit alone. */
export const processesGauge: Gauge<Column, Key> = {
  name: 'processes',
  columns,
  figures,
  follow: (job) => new FollowedProcesses(job),
}

class FollowedProcesses implements FollowedGauge<Column, Key> {
  readonly #job: MeteredJob
  #processesPeak = 0
  #threadsPeak = 0

  constructor(job: MeteredJob) {
    this.#job = job
  }

  glance(): void {
    const { members } = this.#job
    this.#processesPeak = Math.max(this.#processesPeak, members.liveProcesses)
    this.#threadsPeak = Math.max(this.#threadsPeak, members.liveThreads)
  }

  look(row: Float64Array, at: Readonly<Record<Column, number>>): void {
    this.glance()
    row[at.num_processes] = this.#job.members.liveProcesses
    row[at.num_threads] = this.#job.members.liveThreads
  }

  figures({ blindSeconds }: FollowedEnd): Readonly<Record<Key, Measured>> {
    const job = this.#job
    const { accounts } = job
    const whole = accounts.root === null ? null : accounts.whole
    const accounted = accountedFigure(job)
    const switches = (value = NaN): Measured =>
      Number.isFinite(value)
        ? accounted(value, accounts.words)
        : unmeasured('reported only by the kernel accounting at exit (wait4)')
    const unseen = unmeasured('it ended before the first look at it')
    const seen = this.#processesPeak > 0
    const atLooks = (most: number): Measured =>
      job.request.cgroup === null && blindSeconds > longestBlindSeconds
        ? atLeast(most, `most at one look; ${blindWords(blindSeconds)}`)
        : measured(most, 'most at one look')
    return {
      voluntarySwitches: switches(whole?.voluntarySwitches),
      involuntarySwitches: switches(whole?.involuntarySwitches),
      processesPeak: seen ? atLooks(this.#processesPeak) : unseen,
      threadsPeak: seen ? atLooks(this.#threadsPeak) : unseen,
      processesStarted: unmeasured(
        `at least ${job.members.seen}; processes that started and ended between looks are not counted`,
      ),
    }
  }
}
