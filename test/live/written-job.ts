import { sampleIndex, sampleNames } from '../../src/model/sample.ts'
import { openLedgerAt } from '../../src/record/open-ledger.ts'
import { ourselves } from '../../src/record/owner.ts'
import type { Ledger } from '../../src/store/ledger/ledger.ts'
import type { AttemptRef, AttemptStart } from '../../src/store/ledger/store.ts'
import { SpoolFile } from '../../src/store/spool/spool-file.ts'
import { realSystem } from '../../src/system/real.ts'
import { someEnd, someStart } from '../contracts/attempts.ts'

export const system = realSystem({ ownsProcess: false })

/** A job as `Recording` writes it: to the spool, and from some moment on to the ledger. */
export class WrittenJob {
  isOver = false
  #moved: { readonly ledger: Ledger; readonly ref: AttemptRef } | undefined
  #seconds = 0
  readonly #db: string
  readonly #spool: SpoolFile
  readonly start: AttemptStart

  constructor(db: string, number: number) {
    this.#db = db
    const owner = ourselves(system)
    this.start = { ...someStart(`${number}`.repeat(32), { job: { name: `job ${number}` } }), owner }
    this.#spool = new SpoolFile(db, this.start)
  }

  /** The file that it is written to until it moves. */
  get path(): string {
    return this.#spool.path ?? ''
  }

  sample(count: number): void {
    const rows = new Float64Array(count * sampleNames.length).fill(Number.NaN)
    for (let row = 0; row < count; row += 1) {
      this.#seconds += 1
      const at = row * sampleNames.length
      rows[at + sampleIndex.timestamp] = this.start.startedAt + this.#seconds
      rows[at + sampleIndex.elapsed_seconds] = this.#seconds
      rows[at + sampleIndex.cpu_user_seconds] = this.#seconds * 0.9
      rows[at + sampleIndex.cpu_system_seconds] = 0
      rows[at + sampleIndex.memory_bytes] = 1000 * this.#seconds
    }
    const writer = this.#moved?.ledger.jobs.writer(this.#moved.ref) ?? this.#spool
    writer.add(rows, count)
    writer.addDevice({
      kind: 'network',
      id: 'eth0',
      count: 1,
      columns: ['timestamp', 'elapsed_seconds', 'received_bytes'],
      rows: Float64Array.of(
        this.start.startedAt + this.#seconds,
        this.#seconds,
        this.#seconds * 10,
      ),
    })
  }

  move(): void {
    if (this.#moved !== undefined) return
    const ledger = openLedgerAt(system, this.#db)
    const nothingMore = { rows: new Float64Array(), count: 0, end: null }
    const ref = ledger.jobs.adopt({ start: this.#spool.start, ...nothingMore })
    this.#spool.handOver()
    this.#moved = { ledger, ref }
  }

  /** Leaves the ledger, and runs on. */
  close(): void {
    this.#moved?.ledger.close()
  }

  finish(): void {
    this.isOver = true
    const end = someEnd({ durationSeconds: this.#seconds })
    if (this.#moved === undefined) this.#spool.finish(end)
    else {
      this.#moved.ledger.jobs.finish(this.#moved.ref, end)
      this.#moved.ledger.close()
    }
  }
}
