import type { FollowedJob } from '../meter/followed-job.ts'
import type { Job } from '../model/job.ts'
import type { Outcome } from '../model/outcome.ts'
import type { JobRecord } from '../model/record.ts'
import { Recording } from '../record/recording.ts'
import { readStat } from '../sensors/procfs/stat.ts'
import { ownCpuTimes } from '../system/own-process.ts'
import type { System } from '../system/system.ts'
import { insideUsage, type CpuTimes, type OwnPart } from './inside-usage.ts'
import type { SharedTime, ThisProgram } from './programs.ts'

/** Without samples only the highest memory is looked for, once a second: a look in full at the start and at the end. */
const seldomSeconds = 3600

/** A job that is a part of this program's own life, from its start until it is written down. */
export class TrackedJob {
  readonly #program: ThisProgram
  readonly #recording: Recording
  readonly #followed: FollowedJob
  readonly #sharedTime: SharedTime
  readonly #intervalSeconds: number | null
  readonly #ownAtStart: OwnPart | null

  /** Is on disk when this returns: a program that is killed leaves a trace of it. */
  constructor(program: ThisProgram, ledger: string, job: Job, intervalSeconds: number | null) {
    const { system, meter } = program
    this.#program = program
    this.#intervalSeconds = intervalSeconds
    this.#recording = Recording.beginAtOnce(system, ledger, job, {
      machineMemoryBytes: meter.machineMemoryBytes(),
      columns: meter.columns,
      intervalSeconds,
      alone: false,
    })
    const { addSamples, addDevices, startedAt } = this.#recording
    const isSampled = intervalSeconds !== null
    this.#sharedTime = program.shareTime()
    this.#followed = meter.follow({
      rootPid: program.pid,
      intervalSeconds: intervalSeconds ?? seldomSeconds,
      looksEvenly: true,
      mark: null,
      cgroup: null,
      origin: 'running',
      endsWithLook: true,
      recordedStart: startedAt,
      launcherBytes: 0,
      onSamples: isSampled ? addSamples : () => {},
      ...(isSampled ? { onDevices: addDevices } : {}),
    })
    // After the first look, and before the last: what they cost is not of the job.
    this.#ownAtStart = program.isOurs ? { ticked: tickedTimes(system), exact: ownCpuTimes() } : null
  }

  /** Writes down how it ended and what it used. */
  end(outcome: Outcome): JobRecord {
    const { system, meter } = this.#program
    const before = this.#ownAtStart
    const exact = ownCpuTimes()
    const durationSeconds = this.#followed.elapsedSeconds()
    const usage = meter.finish(this.#followed, durationSeconds)
    const own =
      before === null
        ? null
        : {
            exact: less(exact, before.exact),
            ticked: less(tickedTimes(system), before.ticked),
          }
    this.#sharedTime.end()
    const isSampled = this.#intervalSeconds !== null
    const record = this.#recording.finish({
      durationSeconds,
      outcome,
      usage: insideUsage(usage, own, durationSeconds, this.#sharedTime.others),
      samples: {
        collected: isSampled ? this.#followed.samplesTaken : 0,
        intervalSeconds: this.#intervalSeconds,
        late: isSampled ? this.#followed.lateLooks : 0,
        // It is part of what the program used, and nothing tells it apart; or it is not of this job alone.
        ownCpuSeconds: null,
      },
      outline: [],
    })
    return { ...record, jobId: null, attempt: 1 }
  }

  /** Brings what waits outside the ledger into it, if it is its turn; answers what was not kept as it should be. */
  async settle(): Promise<readonly string[]> {
    await this.#recording.tidySpool()
    return this.#recording.problems
  }
}

/** Of this process alone, as `/proc` counts it. */
function tickedTimes({ files, host }: System): CpuTimes {
  const stat = readStat(files, 'self')
  const seconds = (ticks: number | undefined): number => (ticks ?? NaN) / host.ticksPerSecond
  return { userSeconds: seconds(stat?.userTicks), systemSeconds: seconds(stat?.systemTicks) }
}

const less = (end: CpuTimes, start: CpuTimes): CpuTimes => ({
  userSeconds: end.userSeconds - start.userSeconds,
  systemSeconds: end.systemSeconds - start.systemSeconds,
})
