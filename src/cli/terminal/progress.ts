import { leftBehindText } from '../../model/outcome.ts'
import { errorText, type JobRecord } from '../../model/record.ts'
import { formatSeconds } from '../../render/units/figures.ts'
import { commandLine, printable } from '../../render/text/printable.ts'
import { progressText } from '../../render/workflow/progress-text.ts'
import type { StoredWorkflow } from '../../store/ledger/workflow-store.ts'
import type { System } from '../../system/system.ts'
import type { RunWatcher } from '../../service/run-workflow.ts'
import type { RunningView } from '../../workflow/run/events.ts'
import type { WorkflowRunner } from '../../workflow/run/runner.ts'
import type { Console } from './console.ts'
import { endingSignals } from './ending-signals.ts'

const redrawSeconds = 0.5
const mostLines = 12
/** Of a terminal that does not say how wide it is. */
const plainColumns = 80

/** Shows a run while it goes on: drawn anew on a terminal, a line for each end elsewhere. */
export class Progress implements RunWatcher {
  readonly #system: System
  readonly #console: Console
  readonly #quiet: boolean
  readonly #live: boolean
  readonly #startedAt: number
  #runner: WorkflowRunner | undefined
  #name = ''
  #workflowId = NaN
  /** Jobs that have come to their end, those of earlier runs included; several may be told of at once. */
  #ended = 0
  #total = 0
  #drawn = 0
  #cancelTimer: (() => void) | undefined

  readonly notice: RunWatcher['notice']

  constructor(
    system: System,
    console: Console,
    quiet: boolean,
    notice: RunWatcher['notice'] = () => {},
  ) {
    this.#system = system
    this.notice = notice
    this.#console = console
    this.#quiet = quiet
    this.#live = !quiet && system.output.isTerminal(2) && process.env['TERM'] !== 'dumb'
    this.#startedAt = system.clock.monotonicSeconds()
  }

  begins(runner: WorkflowRunner, stored: StoredWorkflow): void {
    for (const signal of [...endingSignals, 'SIGUSR2'] as const)
      this.#system.processes.onSignal(signal, () => runner.stop(signal))
    this.#runner = runner
    this.#ended = runner.counts.done
    this.#total = runner.counts.total
    this.#name = stored.name
    this.#workflowId = stored.workflowId
    if (this.#live) this.#redraw()
  }

  end(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#erase()
  }

  jobStarted(_job: RunningView): void {}

  attemptEnded(name: string, record: JobRecord, final: boolean): void {
    if (final) this.#ended += 1
    if (this.#quiet && final) this.#complainOf(name, record)
    if (this.#quiet || (this.#live && record.status === 'success')) return
    const time =
      record.durationSeconds === null ? '' : ` in ${formatSeconds(record.durationSeconds)}`
    const why = record.reason === null ? '' : `: ${printable(record.reason)}`
    const again = final ? '' : ', trying again'
    this.#line(
      `[${this.#ended}/${this.#total}] ${printable(name)} ${record.status}${time}${why}${again}`,
    )
  }

  notTriedAgain(name: string, record: JobRecord): void {
    this.#ended += 1
    if (this.#quiet) this.#complainOf(name, record)
    this.#line(`[${this.#ended}/${this.#total}] ${printable(name)} is not tried again`)
  }

  jobsCancelled(names: readonly string[], because: string): void {
    this.#ended += names.length
    const shown = names.slice(0, 3).map(printable).join(', ')
    const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
    this.#line(`cancelled ${shown}${more}: ${printable(because)}`)
  }

  note(message: string): void {
    this.#line(printable(message))
  }

  trouble(message: string): void {
    if (this.#quiet) this.say(printable(message))
    else this.note(message)
  }

  /** Something to be heard though the rest is quiet. */
  say(message: string): void {
    this.#erase()
    this.#console.complain(message)
  }

  /**
   * A failure, in the one line that is said of it where nothing else is. What ended because the run stops failed at nothing;
   * why the run stops is said at its end.
   */
  #complainOf(name: string, record: JobRecord): void {
    const { status, stragglers } = record
    if (stragglers.length > 0)
      this.say(`${printable(name)}: ${printable(leftBehindText(stragglers))}`)
    if (status === 'success' || this.#runner?.stopExplains(record) === true) return
    const logs = commandLine(['jobmeter', 'logs', name, '--workflow', String(this.#workflowId)])
    this.say(
      `${printable(name)}: ${status}, ${printable(errorText(record) ?? status)}; see ${logs}`,
    )
  }

  #line(text: string): void {
    if (this.#quiet) return
    this.#erase()
    this.#console.note(`${text}\n`)
  }

  #redraw(): void {
    const runner = this.#runner
    if (runner === undefined) return
    const elapsed = this.#system.clock.monotonicSeconds() - this.#startedAt
    const text = progressText(
      {
        name: this.#name,
        counts: runner.counts,
        elapsedSeconds: elapsed,
        running: [...runner.running.values()].slice(0, mostLines).map((view) => ({
          name: view.name,
          elapsedSeconds: view.elapsedSeconds(),
          cpuPercent: view.cpuPercent(),
          memoryBytes: view.memoryBytes(),
          requestedCpus: view.requestedCpus,
          requestedMemoryBytes: view.requestedMemoryBytes,
        })),
      },
      this.#console.style(2),
      process.stderr.columns || plainColumns,
    )
    this.#erase()
    this.#console.note(text)
    this.#drawn = text.split('\n').length - 1
    this.#cancelTimer = this.#system.clock.after(redrawSeconds, () => this.#redraw())
  }

  #erase(): void {
    if (this.#drawn > 0) this.#console.erase(this.#drawn)
    this.#drawn = 0
  }
}
