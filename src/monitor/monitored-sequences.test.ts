import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { outcomeStatuses, type OutcomeStatus } from '../model/outcome.ts'
import { JobMonitor } from './job-monitor.ts'
import { MonitorError } from './monitor-error.ts'

type Step =
  | { readonly kind: 'start'; readonly job: number; readonly tool: string }
  | { readonly kind: 'stop'; readonly job: number; readonly status: OutcomeStatus }
  | {
      readonly kind: 'track'
      readonly tool: string
      readonly how: OutcomeStatus | 'throws' | 'returns'
    }
  | { readonly kind: 'burn'; readonly milliseconds: number }

const tool = fc.constantFrom('fenicsx', 'lammps', 'openfoam')
const status = fc.constantFrom(...outcomeStatuses)
const job = fc.nat(2)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('start' as const), job, tool }),
  fc.record({ kind: fc.constant('stop' as const), job, status }),
  fc.record({
    kind: fc.constant('track' as const),
    tool,
    how: fc.oneof(status, fc.constantFrom('throws' as const, 'returns' as const)),
  }),
  fc.record({ kind: fc.constant('burn' as const), milliseconds: fc.nat(5) }),
)

/** What really happened to a job. Its true duration is between what was seen within it and what was seen around it. */
interface Truth {
  readonly taskId: string
  readonly tool: string
  readonly startedBefore: number
  startedAfter: number
  stoppedBefore: number
  stoppedAfter: number
  status: OutcomeStatus | 'running'
  /** Jobs that were under way at any moment of it. */
  readonly others: Set<Truth>
}

class Diary {
  readonly jobs: Truth[] = []
  readonly ended: Truth[] = []
  readonly open = new Map<string, Truth>()

  begin(taskId: string, name: string): Truth {
    const truth: Truth = {
      taskId,
      tool: name,
      startedBefore: performance.now(),
      startedAfter: NaN,
      stoppedBefore: NaN,
      stoppedAfter: NaN,
      status: 'running',
      others: new Set(this.open.values()),
    }
    for (const other of this.open.values()) other.others.add(truth)
    this.open.set(taskId, truth)
    this.jobs.push(truth)
    return truth
  }

  end(truth: Truth, how: OutcomeStatus): void {
    truth.stoppedAfter = performance.now()
    truth.status = how
    this.open.delete(truth.taskId)
    this.ended.push(truth)
  }
}

async function live(monitor: JobMonitor, diary: Diary, steps: readonly Step[]): Promise<void> {
  for (const [index, each] of steps.entries()) {
    if (each.kind === 'burn') burn(each.milliseconds)
    else if (each.kind === 'track') await track(monitor, diary, `tracked-${index}`, each)
    else if (each.kind === 'start') await start(monitor, diary, `job-${each.job}`, each.tool)
    else await stop(monitor, diary, `job-${each.job}`, each.status)
  }
}

function burn(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end) Math.sqrt(2)
}

async function start(monitor: JobMonitor, diary: Diary, taskId: string, name: string) {
  const started = () => monitor.startMonitoring({ taskId, tool: name })
  if (diary.open.has(taskId)) return expect(started()).rejects.toThrow(MonitorError)
  const truth = diary.begin(taskId, name)
  await started()
  truth.startedAfter = performance.now()
}

async function stop(monitor: JobMonitor, diary: Diary, taskId: string, how: OutcomeStatus) {
  const truth = diary.open.get(taskId)
  if (truth !== undefined) truth.stoppedBefore = performance.now()
  const stopped = monitor.stopMonitoring({ taskId, status: how })
  if (truth === undefined) return expect(stopped).rejects.toThrow(MonitorError)
  await stopped
  diary.end(truth, how)
}

async function track(
  monitor: JobMonitor,
  diary: Diary,
  taskId: string,
  { tool: name, how }: Step & { kind: 'track' },
) {
  const truth = diary.begin(taskId, name)
  const tracked = monitor.trackJob({ taskId, tool: name }, (tracker) => {
    truth.startedAfter = performance.now()
    burn(1)
    truth.stoppedBefore = performance.now()
    if (how === 'throws') throw new Error('it broke')
    if (how !== 'returns') tracker.setStatus(how)
  })
  if (how === 'throws') await expect(tracked).rejects.toThrow('it broke')
  else await tracked
  diary.end(truth, how === 'throws' ? 'error' : how === 'returns' ? 'success' : how)
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0)

/** The wall clock of records and the clock of the test may be a little apart. */
const slackSeconds = 0.0005

async function compare(monitor: JobMonitor, diary: Diary, historyFile: string): Promise<void> {
  const history = (await monitor.getJobHistory()).toReversed()
  expect(history.map(({ task_id: id, status: how, tool: name }) => [id, how, name])).toEqual(
    diary.jobs.map((truth) => [truth.taskId, truth.status, truth.tool]),
  )
  for (const [index, truth] of diary.jobs.entries()) {
    if (truth.status === 'running') continue
    const seconds = history[index]?.duration_seconds ?? NaN
    expect(seconds).toBeGreaterThan(
      (truth.stoppedBefore - truth.startedAfter) / 1000 - slackSeconds,
    )
    expect(seconds).toBeLessThan((truth.stoppedAfter - truth.startedBefore) / 1000 + slackSeconds)
    const cpuSeconds = history[index]?.resource_usage.cpu_total_seconds ?? NaN
    expect(cpuSeconds).toBeGreaterThanOrEqual(0)
    const usage: Readonly<Record<string, number | null>> = history[index]?.usage ?? {}
    expect(usage['overlapping_jobs'] ?? 0).toBe(truth.others.size)
  }
  const statistics = await monitor.getSummaryStatistics()
  const ended = history.filter(({ status: how }) => how !== 'running')
  const seconds = (jobs: typeof ended) => sum(jobs.map((each) => each.duration_seconds ?? NaN))
  expect(statistics).toMatchObject({
    total_jobs: ended.length,
    successful: ended.filter(({ status: how }) => how === 'success').length,
    failed: ended.filter(({ status: how }) => how !== 'success').length,
    running: history.length - ended.length,
  })
  expect(statistics.total_duration_seconds).toBeCloseTo(seconds(ended), 4)
  const tools = Object.entries(statistics.by_tool)
  for (const [name, each] of tools) {
    const own = ended.filter((entry) => entry.tool === name)
    expect(each).toMatchObject({
      count: own.length,
      successful: own.filter(({ status: how }) => how === 'success').length,
    })
    expect(each.total_duration).toBeCloseTo(seconds(own), 4)
  }
  expect(sum(tools.map(([, each]) => each.count))).toBe(statistics.total_jobs)
  expect(sum(tools.map(([, each]) => each.total_cpu_time ?? NaN))).toBeCloseTo(
    statistics.total_cpu_time_seconds ?? NaN,
    4,
  )
  const lines = existsSync(historyFile) ? readFileSync(historyFile, 'utf8').trim().split('\n') : []
  expect(lines.map((line) => (JSON.parse(line) as { task_id: string }).task_id)).toEqual(
    diary.ended.map(({ taskId }) => taskId),
  )
}

it('tells what happened, whatever happened in whichever order', async () => {
  let jobs = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 14 }),
      fc.boolean(),
      async (steps, enableProfiling) => {
        const directory = mkdtempSync(join(tmpdir(), 'jobmeter-sequence-'))
        const logDir = join(directory, 'logs')
        const ledger = join(directory, 'ledger.db')
        const monitor = new JobMonitor({ ledger, logDir, enableProfiling })
        // Of others in the same ledger it tells nothing.
        const other = new JobMonitor({ ledger })
        await other.trackJob({ taskId: 'job-0', tool: 'fenicsx' }, () => undefined)
        const diary = new Diary()
        try {
          await live(monitor, diary, steps)
          await compare(monitor, diary, join(logDir, 'jobs_history.jsonl'))
          jobs += diary.ended.length
        } finally {
          // A job that runs on would be in the figures of the next sequence.
          for (const taskId of diary.open.keys()) await monitor.stopMonitoring({ taskId })
          rmSync(directory, { recursive: true })
        }
      },
    ),
    { numRuns: 100 },
  )
  // They were not all too short to tell anything.
  expect(jobs).toBeGreaterThan(100)
})
