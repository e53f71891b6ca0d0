import { JobWatch, type Transition, type WatchedJob } from '../../alert/evaluate/job-watch.ts'
import { needsPast } from '../../alert/evaluate/rule-needs.ts'
import { sentenceOf } from '../../alert/notice-words.ts'
import type { Rule } from '../../alert/rule.ts'
import type { DeviceSink } from '../../meter/job-devices.ts'
import type { SampleSink } from '../../meter/sample-buffer.ts'
import type { AlertSubject } from '../../model/alert.ts'
import type { Owner } from '../../model/machine.ts'
import { errorText, type AttemptRecord } from '../../model/record.ts'
import { sampleIndex } from '../../model/sample.ts'
import type { NewNotice } from '../../store/alerts/alert-store.ts'
import type { System } from '../../system/system.ts'
import type { AlertFile } from './alert-file.ts'
import type { AlertLog } from './alert-log.ts'
import type { AlertedJob } from './known-job.ts'
import { channelsFor } from './route.ts'

export interface AlertTools {
  readonly system: System
  readonly file: AlertFile
  readonly ledger: string
  readonly log: AlertLog
  readonly owner: Owner
  /** Loaded before any job starts where rules need it at the end, when there is no time to wait; else when needed. */
  readonly past: PastRuns | undefined
  readonly onProblem: (problem: string) => void
}

export type PastRuns = (system: System, ledger: string, job: AlertedJob) => readonly Float64Array[]

/** Nothing is unusual about a running job sooner, and reading its past takes some milliseconds. */
const learnAfterSeconds = 5

/** The alerts of one attempt. It is shown what the meter sees, and never keeps the meter waiting. */
export class JobAlerts {
  readonly #tools: AlertTools
  readonly #job: AlertedJob
  readonly #watch: JobWatch
  #hasLearnt: boolean
  #isBroken = false

  constructor(tools: AlertTools, job: AlertedJob, watched: WatchedJob) {
    this.#tools = tools
    this.#job = job
    this.#watch = new JobWatch(tools.file.rules, watched)
    this.#hasLearnt = !tools.file.rules.some(needsPast)
  }

  readonly samples: SampleSink = (rows, count, columns) => {
    this.#safely(() => {
      for (const change of this.#watch.samples(rows, count, columns)) this.#keep(change, null)
    })
    if (!this.#hasLearnt && (rows[sampleIndex.elapsed_seconds] ?? 0) >= learnAfterSeconds)
      this.#learn()
  }

  readonly devices: DeviceSink = (devices) => {
    this.#safely(() => {
      for (const change of this.#watch.devices(devices)) this.#keep(change, null)
    })
  }

  /** `isFinal` unless the job is tried again. */
  ended(record: AttemptRecord, isFinal: boolean): void {
    const { system, past } = this.#tools
    const at = record.endedAt ?? system.clock.wallSeconds()
    if (isFinal && !this.#hasLearnt && past !== undefined) this.#learn()
    this.#safely(() => {
      for (const change of this.#watch.end(record, at, isFinal)) this.#keep(change, record)
    })
  }

  /** Whatever is wrong with alerts, the job and its record go on. */
  #safely(work: () => void): void {
    if (this.#isBroken) return
    try {
      work()
    } catch (error) {
      this.#isBroken = true
      this.#tools.onProblem(`no more alerts: ${error instanceof Error ? error.message : 'error'}`)
    }
  }

  #learn(): void {
    this.#hasLearnt = true
    const { system, ledger, past } = this.#tools
    const learnFrom = (runs: PastRuns): void =>
      this.#safely(() => this.#watch.learn(runs(system, ledger, this.#job)))
    if (past !== undefined) learnFrom(past)
    else
      void import('./past-runs.ts').then(
        ({ pastRuns }) => learnFrom(pastRuns),
        // jobmeter may have been upgraded since the job began: then there is nothing to compare with.
        () => {},
      )
  }

  #keep(change: Transition, ended: AttemptRecord | null): void {
    const { rule, gpu } = change
    const { system, file, log, owner } = this.#tools
    if (change.kind === 'resolved' && log.isMissing) return
    const { taskId } = this.#job
    const notice = this.#noticeOf(change, ended && errorText(ended))
    const to = channelsFor(rule, file.channels)
      .filter(({ way }) => way.type !== 'console')
      .map(({ name }) => ({ config: file.path, channel: name }))
    const isOver = change.kind === 'resolved'
    if (rule.at === 'end' && ended !== null) {
      const start = this.#endKeyStart(rule, ended)
      const key = `${start}${JSON.stringify(taskId)}]`
      if (isOver) log.write((store) => store.resolveAll(start, notice, to))
      else log.write((store) => store.fire(key, system.randomId(), notice, null, to))
      return
    }
    const key = this.#lookKey(rule, gpu)
    if (isOver) log.write((store) => store.resolve(key, notice, taskId, to))
    else log.write((store) => store.fire(key, system.randomId(), notice, { taskId, owner }, to))
  }

  #noticeOf(change: Transition, reason: string | null): NewNotice {
    const { rule, value, at } = change
    const { name: ruleName, severity, metric, condition } = rule
    return {
      rule: ruleName,
      severity,
      subject: this.#subjectOf(rule, change.gpu),
      text: sentenceOf(change, reason),
      metric,
      value,
      threshold: condition.kind === 'unusual' ? null : condition.threshold,
      at,
    }
  }

  #subjectOf({ scope }: Rule, gpu: string | null): AlertSubject {
    const { name, taskId } = this.#job
    const { host } = this.#tools.system
    return { host: host.name, job: scope === 'machine' ? null : name, taskId, gpu }
  }

  /** The same for all who see the same thing. */
  #lookKey({ name, scope }: Rule, gpu: string | null): string {
    const host = this.#tools.system.host.name
    if (scope === 'job') return JSON.stringify([name, this.#job.taskId])
    return JSON.stringify(scope === 'gpu' ? [name, host, gpu] : [name, host])
  }

  /** What the ends of all runs of the same job begin with. Jobs of one name in two folders are two. */
  #endKeyStart({ name }: Rule, { workingDirectory, user }: AttemptRecord): string {
    return `${JSON.stringify([name, this.#job.name, workingDirectory, user]).slice(0, -1)},`
  }
}
