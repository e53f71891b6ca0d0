import type { PastSlurmJob } from '../../model/past-slurm-job.ts'
import type { NodeHistory } from '../../store/node/history/open-history.ts'
import { BadRecord } from '../bad-record.ts'
import type { RecordReader, Taken } from '../import-files.ts'
import { textOf } from '../text/decoded.ts'
import { LineSplitter } from '../text/line-splitter.ts'
import type { RawRecord, Splitter } from '../text/raw-record.ts'
import { SacctGroups, slurmJobOf, type SacctGroup } from './sacct-jobs.ts'
import { SacctHeader } from './sacct-row.ts'

const mostJobs = 2000

/** Reads what `sacct -P` printed. */
export class SacctReader implements RecordReader {
  readonly #history: NodeHistory
  readonly #nowSeconds: number
  #header: SacctHeader | BadRecord | undefined
  #groups = new SacctGroups()
  /** Jobs that are committed together, with the lines that told of them. */
  #jobs: { readonly job: PastSlurmJob; readonly line: number; readonly records: number }[] = []

  constructor(history: NodeHistory, nowSeconds: number) {
    this.#history = history
    this.#nowSeconds = nowSeconds
  }

  begin(): Splitter {
    this.#header = undefined
    this.#groups = new SacctGroups()
    return new LineSplitter()
  }

  take(record: RawRecord): readonly Taken[] {
    if (this.#header === undefined) {
      this.#header = headerOf(record)
      if (this.#header instanceof BadRecord) throw this.#header
      return []
    }
    // Without names of columns no line means anything: the file was refused as a whole.
    if (this.#header instanceof BadRecord) return []
    const done = this.#groups.add(this.#header.row(textOf(record)), record.line)
    return done === undefined ? [] : this.#takeGroup(done)
  }

  end(): readonly Taken[] {
    const done = this.#groups.end()
    const taken = done === undefined ? [] : this.#takeGroup(done)
    return [...taken, ...this.#write()]
  }

  readonly isFull = false

  /** All is written when the outcome of its lines is told. */
  commit(): void {}

  #takeGroup(group: SacctGroup): readonly Taken[] {
    const { line, rows } = group
    const records = rows.length
    try {
      const job = slurmJobOf(group, this.#nowSeconds)
      if (job === undefined) return [{ line, records, outcome: 'unused' }]
      this.#jobs.push({ job, line, records })
    } catch (error) {
      if (error instanceof BadRecord) return [{ line, records, outcome: error }]
      throw error
    }
    return this.#jobs.length >= mostJobs ? this.#write() : []
  }

  #write(): readonly Taken[] {
    const jobs = this.#jobs
    this.#jobs = []
    const isNew = this.#history.addSlurmJobs(jobs.map(({ job }) => job))
    return jobs.map(({ line, records }, at) => ({
      line,
      records,
      outcome: isNew[at] ? 'added' : 'known',
    }))
  }
}

/** A header is not a record; one that makes no sense is, for the whole file. */
function headerOf(record: RawRecord): SacctHeader | BadRecord {
  try {
    return new SacctHeader(textOf(record))
  } catch (error) {
    if (error instanceof BadRecord) return error
    throw error
  }
}
