import { isLowerBound } from '../../model/measured.ts'
import { isDurationBound } from '../../model/outcome.ts'
import type { KnownSum, OutcomeTally } from '../../model/outcome-tally.ts'
import type { JobRecord } from '../../model/record.ts'
import { roundKeeping } from '../../model/fixed-keeping.ts'

/**
 * The figures of `job-stats` over many records, under the names that existing scripts expect. A sum
 * leaves out what was not measured and says for how many jobs; if nothing was measured, it is null.
 *
 * @see jobStatistics
 */
export interface JobStatistics {
  /** Finished jobs: successful and failed. */
  readonly total_jobs: number
  readonly successful: number
  /** Every other end: failed, timeout, error, interrupted, cancelled. */
  readonly failed: number
  readonly running: number
  /** Handed to a cluster or a queue, and not yet begun. */
  readonly waiting: number
  /** Watched processes, whose exit code only their parents know. */
  readonly unknown: number
  /** Percent of the finished jobs; null if none has finished. */
  readonly success_rate: number | null
  readonly total_cpu_time_seconds: number | null
  /** Of some of them it is a lower bound: the sum may be higher. */
  readonly total_cpu_time_is_lower_bound: boolean
  readonly jobs_without_cpu_time: number
  readonly total_duration_seconds: number | null
  readonly total_duration_is_lower_bound: boolean
  readonly jobs_without_duration: number
  readonly average_duration_seconds: number | null
  /** The tool with the most jobs first. */
  readonly by_tool: Readonly<Record<string, ToolStatistics>>
}

/**
 * The same for all jobs of one tool.
 *
 * @see jobStatistics
 */
export interface ToolStatistics {
  readonly count: number
  readonly successful: number
  readonly failed: number
  readonly running: number
  readonly waiting: number
  readonly unknown: number
  readonly success_rate: number | null
  readonly total_duration: number | null
  readonly total_duration_is_lower_bound: boolean
  readonly total_cpu_time: number | null
}

/**
 * Adds up many records, as `jobmeter job-stats` does.
 *
 * @example
 * ```ts
 * import { jobStatistics, measure, type JobStatistics, type ToolStatistics } from 'jobmeter'
 *
 * const records = [await measure(['true']), await measure(['false'])]
 * const statistics: JobStatistics = jobStatistics(records)
 * console.log(statistics.total_jobs, statistics.success_rate) // 2 50
 * const ofTrue: ToolStatistics | undefined = statistics.by_tool['true']
 * console.log(ofTrue?.successful) // 1
 * ```
 */
export function jobStatistics(records: Iterable<JobRecord>): JobStatistics {
  return statisticsOf(talliesOf(records))
}

function* talliesOf(records: Iterable<JobRecord>): Iterable<OutcomeTally> {
  for (const record of records) yield tallyOfOne(record)
}

function tallyOfOne({ tool, status, durationSeconds, usage }: JobRecord): OutcomeTally {
  const sum = (value: number | null, isLeast: boolean): KnownSum =>
    value === null
      ? { known: 0, sum: 0, least: 0 }
      : { known: 1, sum: value, least: isLeast ? 1 : 0 }
  return {
    tool,
    status,
    attempts: 1,
    durationSeconds: sum(durationSeconds, isDurationBound(status)),
    cpuSeconds: sum(usage.cpuTotalSeconds.value, isLowerBound(usage.cpuTotalSeconds)),
  }
}

/** The same of attempts that are added up already. */
export function statisticsOf(tallies: Iterable<OutcomeTally>): JobStatistics {
  const all = new Tally()
  const tools = new Map<string, Tally>()
  for (const tally of tallies) {
    all.add(tally)
    const tool = tools.get(tally.tool) ?? new Tally()
    tools.set(tally.tool, tool)
    tool.add(tally)
  }
  const byTool = [...tools].toSorted(
    ([nameA, a], [nameB, b]) => b.finished - a.finished || (nameA < nameB ? -1 : 1),
  )
  return {
    total_jobs: all.finished,
    successful: all.successful,
    failed: all.finished - all.successful,
    running: all.running,
    waiting: all.waiting,
    unknown: all.unknown,
    success_rate: all.successRate(),
    total_cpu_time_seconds: all.cpuSeconds.total(),
    total_cpu_time_is_lower_bound: all.cpuSeconds.isLeast,
    jobs_without_cpu_time: all.cpuSeconds.missing,
    total_duration_seconds: all.durationSeconds.total(),
    total_duration_is_lower_bound: all.durationSeconds.isLeast,
    jobs_without_duration: all.durationSeconds.missing,
    average_duration_seconds: all.durationSeconds.mean(),
    by_tool: Object.fromEntries(byTool.map(([tool, tally]) => [tool, toolStatistics(tally)])),
  }
}

function toolStatistics(tally: Tally): ToolStatistics {
  return {
    count: tally.finished,
    successful: tally.successful,
    failed: tally.finished - tally.successful,
    running: tally.running,
    waiting: tally.waiting,
    unknown: tally.unknown,
    success_rate: tally.successRate(),
    total_duration: tally.durationSeconds.total(),
    total_duration_is_lower_bound: tally.durationSeconds.isLeast,
    total_cpu_time: tally.cpuSeconds.total(),
  }
}

class Tally {
  finished = 0
  successful = 0
  running = 0
  waiting = 0
  unknown = 0
  readonly cpuSeconds = new Sum()
  readonly durationSeconds = new Sum()

  add({ status, attempts, durationSeconds, cpuSeconds }: OutcomeTally): void {
    if (status === 'running') {
      this.running += attempts
      return
    }
    if (status === 'waiting') {
      this.waiting += attempts
      return
    }
    if (status === 'unknown') {
      this.unknown += attempts
      return
    }
    this.finished += attempts
    if (status === 'success') this.successful += attempts
    this.cpuSeconds.add(cpuSeconds, attempts)
    this.durationSeconds.add(durationSeconds, attempts)
  }

  successRate(): number | null {
    return this.finished === 0 ? null : roundKeeping(100 * (this.successful / this.finished), 2)
  }
}

class Sum {
  missing = 0
  isLeast = false
  #known = 0
  #sum = 0

  add({ known, sum, least }: KnownSum, attempts: number): void {
    this.isLeast ||= least > 0
    this.missing += attempts - known
    this.#known += known
    this.#sum += sum
  }

  /** The sum over no jobs is 0; over jobs of which none was measured it is not known. */
  total(): number | null {
    return this.#known === 0 && this.missing > 0 ? null : roundKeeping(this.#sum, 6)
  }

  mean(): number | null {
    return this.#known === 0 ? null : roundKeeping(this.#sum / this.#known, 6)
  }
}
