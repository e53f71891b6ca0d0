import type { ImportedJob, ImportedRound } from '../../../model/imported-round.ts'
import { bucketOf, fiveMinutesMs, hourMs } from '../buckets.ts'
import { capacityOf } from '../add-round.ts'
import { amountsOf, peaksOf } from '../round-values.ts'
import { addFigures, Sums, sumsOf } from './sums.ts'

/** What a job used, by row that is to be added to, since the last commit. */
export interface PastJobRows {
  readonly host: string
  job: ImportedJob
  firstMs: number
  lastMs: number
  readonly raw: Map<number, Sums>
  readonly five: Map<number, Sums>
  readonly hour: Map<number, Sums>
}

export interface PastNodeRow {
  readonly sums: Sums
  readonly capacity: (number | null)[]
}

export interface PastNodeRows {
  readonly host: string
  /** Those that are young enough to be kept one by one. */
  readonly rounds: ImportedRound[]
  readonly five: Map<number, PastNodeRow>
  readonly hour: Map<number, PastNodeRow>
}

/** From when on rounds, and five minutes, are kept one by one: what is older would be deleted again. */
export interface KeptFrom {
  readonly rawMs: number
  readonly fiveMs: number
}

/** Rounds that are on their way into the database, rolled up already: most rows get dozens of rounds. */
export class HistoryBatch {
  readonly #kept: KeptFrom
  readonly jobs = new Map<string, PastJobRows>()
  readonly nodes = new Map<string, PastNodeRows>()
  /** How many rows it stands for, which is what its memory goes by. */
  rows = 0

  constructor(kept: KeptFrom) {
    this.#kept = kept
  }

  add(round: ImportedRound): void {
    const [atMs, spanMs] = [Math.round(round.at * 1e3), Math.round(round.seconds * 1e3)]
    this.#addNode(round, atMs, spanMs)
    for (const job of round.jobs) {
      const amounts = Object.values(amountsOf(job, round.seconds))
      const peaks = Object.values(peaksOf(job, round.seconds))
      const rows = this.#rowsOf(round.host, job, atMs - spanMs)
      rows.lastMs = Math.max(rows.lastMs, atMs)
      rows.firstMs = Math.min(rows.firstMs, atMs - spanMs)
      this.#sums(rows.hour, bucketOf(atMs, hourMs)).add(spanMs, amounts, peaks)
      if (atMs >= this.#kept.fiveMs)
        this.#sums(rows.five, bucketOf(atMs, fiveMinutesMs)).add(spanMs, amounts, peaks)
      if (atMs >= this.#kept.rawMs) this.#sums(rows.raw, atMs).add(spanMs, amounts, peaks)
    }
  }

  #sums(map: Map<number, Sums>, key: number): Sums {
    if (!map.has(key)) this.rows += 1
    return sumsOf(map, key)
  }

  #rowsOf(host: string, job: ImportedJob, firstMs: number): PastJobRows {
    const key = `${host}\0${job.epoch}\0${job.kind}\0${job.id}\0${job.user}`
    const known = this.jobs.get(key)
    if (known !== undefined) {
      const gpus = Math.max(known.job.gpus ?? 0, job.gpus ?? 0)
      known.job = { ...job, gpus: job.gpus === null ? known.job.gpus : gpus }
      return known
    }
    const [raw, five, hour] = [new Map(), new Map(), new Map()] as const
    const made = { host, job, firstMs, lastMs: firstMs, raw, five, hour }
    this.jobs.set(key, made)
    return made
  }

  #addNode(round: ImportedRound, atMs: number, spanMs: number): void {
    const amounts = Object.values(amountsOf(round.node, round.seconds))
    const peaks = Object.values(peaksOf(round.node, round.seconds))
    const capacity = capacityOf(round.node, spanMs)
    const rows = this.#nodeOf(round.host)
    const addTo = (map: Map<number, PastNodeRow>, bucket: number): void => {
      const row = map.get(bucket) ?? { sums: new Sums(), capacity: capacity.map(() => null) }
      if (!map.has(bucket)) this.rows += 1
      map.set(bucket, row)
      row.sums.add(spanMs, amounts, peaks)
      addFigures(row.capacity, capacity)
    }
    addTo(rows.hour, bucketOf(atMs, hourMs))
    if (atMs >= this.#kept.fiveMs) addTo(rows.five, bucketOf(atMs, fiveMinutesMs))
    if (atMs < this.#kept.rawMs) return
    // The jobs have rows of their own.
    rows.rounds.push({ ...round, jobs: [] })
    this.rows += 1
  }

  #nodeOf(host: string): PastNodeRows {
    const known = this.nodes.get(host)
    if (known !== undefined) return known
    const made = { host, rounds: [], five: new Map(), hour: new Map() }
    this.nodes.set(host, made)
    return made
  }
}
