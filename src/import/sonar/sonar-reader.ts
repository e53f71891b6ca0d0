import type { NodeHistory } from '../../store/node/history/open-history.ts'
import { BadRecord } from '../bad-record.ts'
import { objectAt } from '../fields.ts'
import type { RecordReader, Taken } from '../import-files.ts'
import type { Outcome } from '../tally.ts'
import { jsonOf, textOf } from '../text/decoded.ts'
import { saneJob } from '../slurm/sane-job.ts'
import { JsonSplitter, startsJson } from '../text/json-splitter.ts'
import { LineSplitter } from '../text/line-splitter.ts'
import type { RawRecord, Splitter } from '../text/raw-record.ts'
import { csvRecordOf } from './csv-record.ts'
import { CsvSamples, type CsvGroup } from './csv-samples.ts'
import { sampleOf } from './sample-json.ts'
import { slurmJobsOf } from './slurm-json.ts'
import { SonarImport, type SonarSettings } from './sonar-import.ts'
import { oldSysinfoOf, sysinfoOf } from './sysinfo-json.ts'

export interface SonarOptions extends SonarSettings {
  /** Whether the job ids of CSV files are Slurm's, which they do not say. */
  readonly idsAreSlurms: boolean
}

/** Reads Sonar's files, JSON and CSV. */
export class SonarReader implements RecordReader {
  readonly #history: NodeHistory
  readonly #import: SonarImport
  readonly #options: SonarOptions
  #csv: CsvSamples | undefined

  constructor(history: NodeHistory, options: SonarOptions) {
    this.#history = history
    this.#options = options
    this.#import = new SonarImport(history, options)
  }

  begin(start: Uint8Array): Splitter {
    const isJson = startsJson(start)
    this.#csv = isJson ? undefined : new CsvSamples()
    return isJson ? new JsonSplitter() : new LineSplitter()
  }

  take(record: RawRecord): readonly Taken[] {
    if (this.#csv !== undefined) return this.#takeLine(record, this.#csv)
    return [{ line: record.line, records: 1, outcome: this.#takeObject(jsonOf(record)) }]
  }

  end(): readonly Taken[] {
    const groups = this.#csv?.end() ?? []
    this.#csv = undefined
    return groups.map((group) => this.#takeGroup(group))
  }

  get isFull(): boolean {
    return this.#import.isFull
  }

  commit(): void {
    this.#import.commit()
  }

  #takeLine(record: RawRecord, csv: CsvSamples): readonly Taken[] {
    const text = textOf(record)
    const told = csvRecordOf(text, this.#options.idsAreSlurms)
    this.#import.refuseFuture(told.at)
    const done = csv.add(told, text, record.line)
    if (done === 'twice') return [{ line: record.line, records: 1, outcome: 'known' }]
    return done.map((group) => this.#takeGroup(group))
  }

  /** Each of its lines has been looked at: nothing is left to refuse. */
  #takeGroup({ line, records, sample }: CsvGroup): Taken {
    return { line, records, outcome: this.#import.addSample(sample) }
  }

  #takeObject(value: unknown): Outcome {
    const record = objectAt(value, 'the record')
    if (record['data'] === undefined && Array.isArray(record['errors'])) return 'unused'
    if ('hostname' in record && 'timestamp' in record)
      return this.#import.addSysinfo(oldSysinfoOf(record))
    const data = objectAt(record['data'], 'data')
    const attributes = objectAt(data['attributes'], 'data.attributes')
    switch (data['type']) {
      case 'sample':
        return this.#import.addSample(sampleOf(attributes))
      case 'sysinfo':
        return this.#import.addSysinfo(sysinfoOf(attributes))
      case 'job':
      case 'jobs': {
        const { nowSeconds } = this.#options
        const jobs = slurmJobsOf(attributes).map((job) => saneJob(job, nowSeconds))
        // Samples that have come before must be there to be completed.
        this.#import.commit()
        const isNew = this.#history.addSlurmJobs(jobs)
        return jobs.length > 0 && isNew.includes(true) ? 'added' : 'known'
      }
      case 'cluster':
        return 'unused'
      default:
        throw new BadRecord('it is not a kind of record that is known')
    }
  }
}
