import type { BenchmarkRun } from '../../analysis/benchmark/benchmark-result.ts'
import { cellLabel, type BenchmarkTurn } from '../../model/benchmark.ts'
import { errorText } from '../../model/record.ts'
import { benchmarkSeconds } from '../../render/benchmark/rows.ts'
import { printable } from '../../render/text/printable.ts'
import type { BenchmarkWatcher } from '../../service/benchmark/run-benchmark.ts'
import type { System } from '../../system/system.ts'
import type { Console } from '../terminal/console.ts'

const redrawSeconds = 0.5

/** Shows how a benchmark goes: one line that is drawn anew on a terminal, a line for each run elsewhere. */
export class BenchmarkProgress implements BenchmarkWatcher {
  readonly #system: System
  readonly #console: Console
  readonly #quiet: boolean
  readonly #live: boolean
  #cancelTimer: (() => void) | undefined
  #isDrawn = false

  constructor(system: System, console: Console, quiet: boolean) {
    this.#system = system
    this.#console = console
    this.#quiet = quiet
    this.#live = !quiet && system.output.isTerminal(2) && process.env['TERM'] !== 'dumb'
  }

  began(turn: BenchmarkTurn, index: number, total: number): void {
    if (!this.#live) return
    const startedAt = this.#system.clock.monotonicSeconds()
    const draw = (): void => {
      const elapsed = this.#system.clock.monotonicSeconds() - startedAt
      this.#erase()
      this.#console.note(`${turnWords(turn, index, total)}  ${benchmarkSeconds(elapsed)}`)
      this.#isDrawn = true
      this.#cancelTimer = this.#system.clock.after(redrawSeconds, draw)
    }
    draw()
  }

  ended(run: BenchmarkRun, index: number, total: number): void {
    this.end()
    const { record } = run
    if (this.#quiet || record === null) return
    const seconds = record.durationSeconds
    const took = seconds === null ? '' : `  ${benchmarkSeconds(seconds)}`
    const why =
      record.status === 'success' ? '' : `  ${printable(errorText(record) ?? record.status)}`
    this.#console.note(`${turnWords(run, index, total)}${took}${why}\n`)
  }

  end(): void {
    this.#cancelTimer?.()
    this.#erase()
  }

  #erase(): void {
    if (this.#isDrawn) this.#console.erase(0)
    this.#isDrawn = false
  }
}

function turnWords({ cell, runNumber, isWarmUp }: BenchmarkTurn, index: number, total: number) {
  const label = cellLabel(cell)
  const what = `${isWarmUp ? 'warm-up' : 'run'} ${runNumber}`
  return `[${index + 1}/${total}] ${label === '' ? '' : `${printable(label)}  `}${what}`
}
