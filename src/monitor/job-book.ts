import { resolve } from 'node:path'
import type { Job } from '../model/job.ts'
import type { JobRecord } from '../model/record.ts'
import { ledgerPlace } from '../record/ledger-place.ts'
import { realClock } from '../system/real-clock.ts'
import type { System } from '../system/system.ts'
import { addHistoryLine } from '../store/history-file.ts'
import { folderTag, historyLine, monitoredJob, type MonitoredJob } from './job-json.ts'
import { endLines, startLine, type Logger } from './log-lines.ts'

export interface JobBookOptions {
  readonly logDir?: string | undefined
  readonly ledger?: string | undefined
  readonly logger?: Logger | undefined
}

/** Where the jobs of a monitor are told: its logger, and the history file of its folder. The ledger has them already. */
export class JobBook {
  readonly ledger: string
  /** On every job of a folder of logs. */
  readonly folderTags: readonly string[]
  readonly #system: System
  readonly #historyFile: string | undefined
  readonly #logger: Logger | undefined

  constructor(system: System, { logDir, ledger, logger }: JobBookOptions) {
    this.#system = system
    const place = ledgerPlace(system, ledger, process.env)
    this.ledger = place.path
    this.#logger = logger
    const directory = logDir === undefined ? undefined : resolve(logDir).toWellFormed()
    this.folderTags = directory === undefined ? [] : [folderTag(directory)]
    this.#historyFile = directory === undefined ? undefined : `${directory}/jobs_history.jsonl`
    if (place.passedOver !== null)
      this.complain(
        `using root's ledger ${place.path}, because others can change ${place.passedOver}`,
      )
  }

  started(taskId: string, job: Pick<Job, 'tool' | 'script' | 'params'>): void {
    this.#log([startLine(taskId, job)])
  }

  /** Tells that a job is over. Trouble with the file is a warning: what the program does matters more. */
  async ended(record: JobRecord, problems: readonly string[]): Promise<MonitoredJob> {
    const job = monitoredJob(record)
    this.#log(endLines(job))
    for (const problem of problems) this.complain(`Job ${job.task_id}: ${problem}`)
    if (this.#historyFile !== undefined) await this.#addToFile(this.#historyFile, job)
    return job
  }

  complain(text: string): void {
    this.#log([{ level: 'warn', text }])
  }

  async #addToFile(path: string, job: MonitoredJob): Promise<void> {
    try {
      await addHistoryLine(path, historyLine(job), {
        tryLock: this.#system.files.tryLock,
        // Not in the background: the program must not end while a line waits for its turn.
        pause: (seconds) => new Promise((go) => void realClock.after(seconds, go)),
      })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.complain(`Job ${job.task_id} is not in ${path}: ${why}`)
    }
  }

  #log(lines: ReturnType<typeof endLines>): void {
    for (const { level, text } of lines)
      try {
        this.#logger?.[level](text)
      } catch {
        // A logger that fails must not take the job with it.
      }
  }
}
