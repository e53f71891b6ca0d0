import { basename } from 'node:path'
import type { DeviceRows } from '../../model/series.ts'
import { rowsOf } from '../../store/series/held-series.ts'
import { taskOf } from '../../store/spool/spool-names.ts'
import { hasEnd, SpoolTail, type SpoolGrowth } from '../../store/spool/spool-tail.ts'
import { SpoolWatch } from '../../store/spool/spool-watch.ts'
import { factsOfStart, withEnd } from './attempt-facts.ts'
import type { FollowedAttempt, WrittenDeviceRow } from './followed-attempt.ts'
import type { LiveAttempts } from './live-attempts.ts'

/** What single commands write about themselves before the ledger has it. */
export class SpoolSource {
  readonly #watch: SpoolWatch
  readonly #attempts: LiveAttempts
  /** By path. */
  readonly #tails = new Map<string, SpoolTail>()
  /** Of these, those that can be read, by the task that they are of. */
  readonly #byTask = new Map<string, SpoolTail>()
  /** Paths of records that have ended: nothing is added to them any more. */
  readonly #ended = new Set<string>()
  /** Tasks that had ended before somebody began to listen. */
  readonly #before = new Set<string>()
  /** Until all of it was read once: what runs now was running before. */
  #isFirst = true

  constructor(ledger: string, attempts: LiveAttempts) {
    this.#watch = new SpoolWatch(ledger)
    this.#attempts = attempts
  }

  /** Whether it had ended before somebody began to listen: nothing is told of it. */
  isPast(taskId: string): boolean {
    return this.#before.has(taskId)
  }

  /** The file that an attempt is written to now. */
  tailOf(taskId: string): SpoolTail | undefined {
    return this.#byTask.get(taskId)
  }

  read(): void {
    const files = this.#watch.files()
    this.#forgetAllBut(new Set(files))
    for (const file of files) {
      if (this.#ended.has(file)) continue
      if (this.#isFirst && hasEnd(file)) {
        this.#ended.add(file)
        this.#before.add(taskOf(basename(file)))
      } else this.#readFile(file)
    }
    this.#isFirst = false
  }

  #forgetAllBut(files: ReadonlySet<string>): void {
    for (const file of this.#tails.keys()) if (!files.has(file)) this.#drop(file)
    for (const file of this.#ended) if (!files.has(file)) this.#ended.delete(file)
  }

  #readFile(file: string): void {
    const tail = this.#tails.get(file) ?? new SpoolTail(file)
    const news = tail.read()
    if (news.kind === 'nothing') {
      this.#drop(file)
      return
    }
    this.#tails.set(file, tail)
    if (news.kind !== 'growth') return
    this.#byTask.set(news.start.taskId, tail)
    this.#take(news)
    if (news.end === null) return
    this.#drop(file)
    this.#ended.add(file)
  }

  #drop(file: string): void {
    const task = taskOf(basename(file))
    if (this.#byTask.get(task)?.path === file) this.#byTask.delete(task)
    this.#tails.delete(file)
  }

  #take(news: SpoolGrowth): void {
    const { start, end } = news
    const known = this.#attempts.find(start.taskId)
    const attempt = known ?? this.#attempts.learn(factsOfStart(start), start.owner, this.#isFirst)
    if (known === undefined && this.#isFirst) beginAfter(attempt, news)
    else {
      attempt.addRows(news.firstRow, news.rows)
      attempt.addDeviceRows(news.firstDeviceRow, news.devices.flatMap(writtenRows))
    }
    if (end !== null) attempt.learn(withEnd(attempt.facts, end))
  }
}

function beginAfter(attempt: FollowedAttempt, { firstRow, rows, ...news }: SpoolGrowth): void {
  attempt.beginAfter(rows, firstRow + rows.length)
  const written = news.devices.flatMap(writtenRows)
  const byDevice = Map.groupBy(written, ({ kind, id }) => `${kind} ${id}`)
  const last = [...byDevice.values()].flatMap((ofDevice) => {
    const row = ofDevice.at(-1)
    return row === undefined ? [] : [{ ...row, length: ofDevice.length }]
  })
  attempt.beginAfterDevices(last, news.firstDeviceRow + written.length)
}

const writtenRows = ({ kind, id, columns, rows, count }: DeviceRows): WrittenDeviceRow[] =>
  rowsOf(columns.length, rows, count).map((values) => ({ kind, id, columns, values }))
