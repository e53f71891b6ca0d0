import type { Measured } from '../../model/measured.ts'
import { groupsOf } from '../units/usage-labels.ts'
import type { ReportSourceJob } from '../../analysis/workflow/gathered-report.ts'

/** How one figure was obtained, over all attempts of a report. */
export interface MeasuredHow {
  readonly group: string
  readonly label: string
  /** Each way, or each reason why not, with how many attempts it holds for; the most frequent first. */
  readonly ways: readonly {
    readonly text: string
    readonly isMeasured: boolean
    readonly count: number
  }[]
}

/** A number by itself, as in `79.2 MB`; not the one in `cgroup v2` or in `wait4`. */
const loneNumber = /(?<![\w.,])\d+(?:\.\d+)?(?![\w]|\.\d)/g

/** Ways that differ only in their numbers are one, with the range of each number. */
class WayTally {
  count = 0
  readonly #parts: readonly string[]
  readonly #lowest: string[]
  readonly #highest: string[]

  constructor(way: string) {
    this.#parts = way.split(loneNumber)
    this.#lowest = way.match(loneNumber) ?? []
    this.#highest = [...this.#lowest]
  }

  add(way: string): void {
    this.count += 1
    for (const [index, number] of (way.match(loneNumber) ?? []).entries()) {
      if (Number(number) < Number(this.#lowest[index])) this.#lowest[index] = number
      if (Number(number) > Number(this.#highest[index])) this.#highest[index] = number
    }
  }

  get text(): string {
    return this.#parts
      .map((part, index) => {
        const [low, high] = [this.#lowest[index] ?? '', this.#highest[index] ?? '']
        return part + (low === high ? low : `${low}–${high}`)
      })
      .join('')
  }
}

export function measuredHow(jobs: readonly ReportSourceJob[]): MeasuredHow[] {
  const records = jobs.flatMap(({ attempts }) => attempts.map(({ record }) => record))
  const usages = records.map(({ usage }): Readonly<Record<string, Measured>> => usage)
  return groupsOf(records.map(({ usage }) => usage))
    .filter(([group]) => group !== 'Machine')
    .flatMap(([group, labels]) =>
      Object.entries(labels).map(([key, label]) => {
        const tallies = new Map<string, WayTally>()
        for (const usage of usages) {
          const figure = usage[key]
          if (figure === undefined) continue
          const way = figure.value === null ? `-${figure.why}` : `+${figure.basis}`
          const kind = way.replaceAll(loneNumber, '#')
          const tally = tallies.get(kind) ?? new WayTally(way)
          tallies.set(kind, tally)
          tally.add(way)
        }
        const ways = [...tallies.values()]
          .toSorted((a, b) => b.count - a.count)
          .map(({ text, count }) => ({
            text: text.slice(1),
            isMeasured: text.startsWith('+'),
            count,
          }))
        return { group, label, ways }
      }),
    )
    .filter(({ ways }) => ways.length > 0)
}
