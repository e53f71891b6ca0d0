import type { AttemptRecord } from '../../model/record.ts'
import { sampleIndex } from '../../model/sample.ts'
import type { Columns, DeviceRows } from '../../model/series.ts'
import { median } from '../../analysis/statistics/median.ts'
import { compile } from '../expression/compile.ts'
import { numberedGpu } from '../figure-names.ts'
import type { Rule } from '../rule.ts'
import { endFigureNames, endFigures } from './end-figures.ts'
import { deviceValue, gpuFigureNames, takeGpuFigures } from './gpu-figures.ts'
import { JobFigures, jobFigureNames, type JobFacts } from './job-figures.ts'
import { namesOf } from './rule-needs.ts'
import { usualOf, type Usual } from './usual.ts'
import { WatchedRule, type Watching } from './watched-rule.ts'

/** That a rule fires on something, or that this is over. */
export interface Transition {
  readonly kind: 'firing' | 'resolved'
  readonly rule: Rule
  /** The number of the card, for rules that look at each. */
  readonly gpu: string | null
  readonly value: number | null
  readonly usual: Usual | undefined
  /** Seconds since 1970. */
  readonly at: number
  /** Why it is over, if the value does not say it. */
  readonly because: string | null
}

export interface WatchedJob {
  readonly facts: JobFacts
  /** Time between its samples. */
  readonly intervalSeconds: number
}

const none: readonly Transition[] = []
/** A look may be late; a sleeping machine is not looked at for hours. */
const shortestGapSeconds = 30

/** All rules on one job, its cards and its machine. It has no clock: times are those of the samples. */
export class JobWatch {
  readonly #rules: readonly Rule[]
  readonly #looked: readonly Rule[]
  readonly #figures: JobFigures
  readonly #numbered: readonly string[]
  readonly #longestGapSeconds: number
  #watched: readonly WatchedRule[] | undefined
  readonly #cards = new Map<string, readonly WatchedRule[]>()
  readonly #card = new Float64Array(gpuFigureNames.length)
  readonly #ownUse = new Map<string, number>()
  /** By the names of rules. */
  readonly #usual = new Map<string, Usual>()

  constructor(rules: readonly Rule[], { facts, intervalSeconds }: WatchedJob) {
    this.#rules = rules
    this.#longestGapSeconds = Math.max(shortestGapSeconds, 3 * intervalSeconds)
    this.#looked = rules.filter(({ at, scope }) => at === 'look' && scope !== 'gpu')
    const names = new Set(this.#looked.flatMap(namesOf))
    this.#numbered = [...names].filter((name) => numberedGpu.test(name))
    this.#figures = new JobFigures(facts, this.#numbered.length)
  }

  /** Takes samples in the form in which the meter gives them out. */
  samples(rows: Float64Array, count: number, columns: Columns): readonly Transition[] {
    let changes: Transition[] | undefined
    const rules = (this.#watched ??= this.#watchLooks())
    for (let row = 0; row < count; row++) {
      this.#figures.take(rows, row * columns.length)
      const { values } = this.#figures
      const at = values[sampleIndex.elapsed_seconds] ?? Number.NaN
      for (const watched of rules) {
        const change = watched.take(values, at)
        if (change === null) continue
        changes ??= []
        changes.push(transition(watched, change, values[sampleIndex.timestamp] ?? 0, null))
      }
    }
    return changes ?? none
  }

  devices(devices: readonly DeviceRows[]): readonly Transition[] {
    let changes: Transition[] | undefined
    for (const device of devices) {
      if (device.kind !== 'gpu') continue
      for (let row = 0; row < device.count; row++)
        for (const change of this.#takeCard(device, row)) (changes ??= []).push(change)
    }
    return changes ?? none
  }

  /** What past runs of the same job were like: the figures of their records. */
  learn(runs: readonly Float64Array[]): void {
    const places = placesIn(endFigureNames)
    const durations = runs.map((run) => run[places('duration_seconds')] ?? Number.NaN)
    this.#figures.expectSeconds(median(durations.filter(Number.isFinite)))
    for (const rule of this.#rules) {
      if (rule.condition.kind !== 'unusual' || rule.condition.from.kind !== 'past runs') continue
      const { figure, leastRuns } = rule.condition.from
      const computed = compile(figure, places)
      const usual = usualOf(
        runs.map((run) => computed(run, 0)),
        leastRuns,
      )
      if (usual !== undefined) this.#usual.set(rule.name, usual)
    }
  }

  /** The attempt is over: what fires while it runs is too. How it ended counts unless the job is tried again. */
  end(record: AttemptRecord, at: number, isFinal = true): readonly Transition[] {
    const over = [this.#watched ?? [], ...this.#cards.values()].flatMap((rules, index) =>
      rules.flatMap((watched) =>
        watched.end() === null
          ? []
          : transition(watched, 'resolves', at, this.#cardOf(index), 'the job has ended'),
      ),
    )
    return isFinal ? [...over, ...this.#judgeEnd(record, at)] : over
  }

  /** Not before the first look: a job of milliseconds has none. */
  #watchLooks(): readonly WatchedRule[] {
    const watching = this.#watching(placesIn([...jobFigureNames, ...this.#numbered]))
    return this.#looked.map((rule) => new WatchedRule(rule, watching))
  }

  /** What a rule about the end says is settled at once, and holds until the same job ends well. */
  #judgeEnd(record: AttemptRecord, at: number): readonly Transition[] {
    const figures = endFigures(record)
    const watching = this.#watching(placesIn(endFigureNames))
    return this.#rules.flatMap((rule) => {
      if (rule.at !== 'end') return []
      const watched = new WatchedRule({ ...rule, forSeconds: 0 }, watching)
      const change = watched.take(figures, at)
      if (change === 'fires') return transition(watched, 'fires', at, null)
      if (watched.verdict !== 'well') return []
      return transition(watched, 'resolves', at, null, 'the job has run again without it')
    })
  }

  #cardOf(index: number): string | null {
    return index === 0 ? null : ([...this.#cards.keys()][index - 1] ?? null)
  }

  *#takeCard(device: DeviceRows, row: number): Generator<Transition> {
    takeGpuFigures(this.#card, device, row)
    const number = deviceValue(device, row, 'gpu_index')
    const gpu = number >= 0 ? String(number) : device.id
    this.#ownUse.set(gpu, this.#card[gpuFigureNames.indexOf('gpu_own_util')] ?? 0)
    this.#figures.takeGpuUse(Math.max(...this.#ownUse.values()))
    this.#takeNumbered(gpu)
    const at = deviceValue(device, row, 'elapsed_seconds')
    for (const watched of this.#rulesOn(gpu)) {
      const change = watched.take(this.#card, at)
      if (change !== null)
        yield transition(watched, change, deviceValue(device, row, 'timestamp'), gpu)
    }
  }

  #takeNumbered(gpu: string): void {
    for (const [index, name] of this.#numbered.entries()) {
      const [, number, figure = ''] = numberedGpu.exec(name) ?? []
      if (number === gpu)
        this.#figures.values[jobFigureNames.length + index] =
          this.#card[gpuFigureNames.indexOf(`gpu_${figure}`)] ?? Number.NaN
    }
  }

  #rulesOn(gpu: string): readonly WatchedRule[] {
    const known = this.#cards.get(gpu)
    if (known !== undefined) return known
    const watching = this.#watching(placesIn(gpuFigureNames))
    const rules = this.#rules
      .filter(({ at, scope }) => at === 'look' && scope === 'gpu')
      .map((rule) => new WatchedRule(rule, watching))
    this.#cards.set(gpu, rules)
    return rules
  }

  #watching(placeOf: (name: string) => number): Watching {
    return {
      placeOf,
      longestGapSeconds: this.#longestGapSeconds,
      pastUsual: ({ name }) => this.#usual.get(name),
    }
  }
}

function placesIn(names: readonly string[]): (name: string) => number {
  const places = new Map(names.map((name, index) => [name, index]))
  return (name) => places.get(name) ?? -1
}

function transition(
  { rule, value, usual }: WatchedRule,
  change: 'fires' | 'resolves',
  at: number,
  gpu: string | null,
  because: string | null = null,
): Transition {
  return {
    kind: change === 'fires' ? 'firing' : 'resolved',
    rule,
    gpu,
    value: Number.isFinite(value) ? value : null,
    usual,
    at,
    because,
  }
}
