import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  getMonitor,
  JobMonitor,
  ResourceProfiler,
  TaskPipeline,
  type MonitoredJob,
} from '../../src/index.ts'
import { sandbox } from '../program.ts'

/** The documented examples of job monitoring and of profiles in job records, as programs of this language have them. */

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-documented-'))
  // The shared monitor is that of the user.
  process.env['JOBMETER_DB'] = join(directory, 'ledger.db')
  for (const script of ['poisson.py', 'example.lammps'])
    writeFileSync(join(directory, script), 'import sys; print(sys.argv[1:])\n')
})
afterAll(() => {
  delete process.env['JOBMETER_DB']
  rmSync(directory, { recursive: true, force: true })
})

const tools = () => ({
  fenicsx: { command: ['python3', '{script}', '{params.mesh_size}'], workingDirectory: directory },
  lammps: { command: ['python3', '{script}'], workingDirectory: directory },
})

const resourceUsage = {
  cpu_user_seconds: expect.any(Number),
  cpu_system_seconds: expect.any(Number),
  cpu_total_seconds: expect.any(Number),
  memory_peak_mb: expect.any(Number),
}

/** Figures of a short job may be missing, but never their keys. */
const someFigure = (value: unknown): boolean => value === null || typeof value === 'number'

function expectProfile(profile: MonitoredJob['detailed_profile']): void {
  expect(profile).not.toBeNull()
  const figures = Object.entries(profile ?? {}).flatMap(([section, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([key, each]) => [`${section}.${key}`, each] as const)
      : [[section, value] as const],
  )
  expect(figures.map(([key]) => key)).toEqual([
    'duration_seconds',
    'samples_collected',
    'sampling_interval_seconds',
    'cpu.mean_percent',
    'cpu.max_percent',
    'cpu.min_percent',
    'memory.mean_used_mb',
    'memory.max_used_mb',
    'memory.min_used_mb',
    'process_cpu.mean_percent',
    'process_cpu.max_percent',
    'process_memory.mean_mb',
    'process_memory.max_mb',
    'process_memory.min_mb',
    'io_stats.read_mb',
    'io_stats.write_mb',
    'io_stats.read_count',
    'io_stats.write_count',
    'io_stats.total_io_mb',
  ])
  expect(figures.filter(([, value]) => !someFigure(value))).toEqual([])
  expect(Object.keys(profile ?? {}).slice(-2)).toEqual(['gpu_stats', 'container_stats'])
}

describe('the documented uses of the monitor', () => {
  it('directly', async () => {
    const monitor = new JobMonitor()
    await monitor.startMonitoring({
      taskId: 'my-task-123',
      tool: 'fenicsx',
      script: 'poisson.py',
      params: { mesh_size: 64 },
    })
    const jobStats = await monitor.stopMonitoring({
      taskId: 'my-task-123',
      status: 'success',
      returncode: 0,
    })
    expect(`Duration: ${jobStats.duration_seconds}s`).toMatch(/^Duration: \d+(\.\d+)?s$/)
    expect(jobStats).toMatchObject({
      task_id: 'my-task-123',
      tool: 'fenicsx',
      script: 'poisson.py',
      params: { mesh_size: 64 },
      start_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      end_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      status: 'success',
      returncode: 0,
      resource_usage: resourceUsage,
      error: null,
      has_result: true,
    })
    expectProfile(jobStats.detailed_profile)
  })

  it('around a piece of work', async () => {
    const monitor = getMonitor()
    expect(getMonitor()).toBe(monitor)
    expect(() => getMonitor({ logDir: directory })).toThrow('exists already')
    const runSimulation = async () => ({ returncode: 1, stderr: 'lost atoms' })
    await monitor.trackJob(
      { taskId: 'task-456', tool: 'lammps', script: 'example.lammps', params: {} },
      async (tracker) => {
        const result = await runSimulation()
        if (result.returncode !== 0)
          tracker.setStatus('failed', { returncode: result.returncode, error: result.stderr })
      },
    )
    {
      await using tracker = monitor.trackJob({ taskId: 'task-457', tool: 'lammps' })
      const result = await runSimulation()
      tracker.setStatus('failed', { returncode: result.returncode, error: result.stderr })
    }
    for (const taskId of ['task-456', 'task-457'])
      expect(await monitor.getJobStats(taskId)).toMatchObject({
        status: 'failed',
        returncode: 1,
        error: 'lost atoms',
        has_result: false,
      })
  })

  it('for history and statistics', async () => {
    const monitor = getMonitor()
    const allJobs = await monitor.getJobHistory()
    expect(allJobs.map((job) => job.task_id)).toEqual(['task-457', 'task-456', 'my-task-123'])
    expect((await monitor.getJobHistory({ limit: 2 })).length).toBe(2)
    expect(await monitor.getJobStats('my-task-123')).toMatchObject({ tool: 'fenicsx' })
    const stats = await monitor.getSummaryStatistics()
    expect(`Success rate: ${stats.success_rate}%`).toBe('Success rate: 33.33%')
    expect(stats.total_cpu_time_seconds).toBeGreaterThanOrEqual(0)
    const highMemory = allJobs.filter((job) => (job.resource_usage.memory_peak_mb ?? 0) > 4000)
    const slow = allJobs.filter((job) => (job.duration_seconds ?? 0) > 600)
    expect([highMemory, slow]).toEqual([[], []])
    const averages = Object.entries(stats.by_tool).map(([tool, toolStats]) => {
      const average = (toolStats.total_duration ?? NaN) / toolStats.count
      return `${tool}: avg ${average.toFixed(2)}s per job`
    })
    expect(averages).toEqual([
      expect.stringMatching(/^lammps: avg \d+\.\d\ds per job$/),
      expect.stringMatching(/^fenicsx: avg \d+\.\d\ds per job$/),
    ])
  })

  it('with the profile that a profiler beside it would tell', async () => {
    const profiler = new ResourceProfiler()
    const monitor = new JobMonitor()
    profiler.startProfiling()
    const job = await monitor.trackJob({ tool: 'fenicsx' }, async (tracker) => {
      const end = performance.now() + 1200
      while (performance.now() < end) {
        Math.sqrt(2)
        await new Promise((go) => setImmediate(go))
      }
      return tracker.end()
    })
    const profile = profiler.stopProfiling()
    const own = job.detailed_profile
    expectProfile(own)
    expect([...Object.keys(own ?? {}), 'unavailable']).toEqual(Object.keys(profile))
    expect(own?.sampling_interval_seconds).toBe(profile.sampling_interval_seconds)
    const apart = (a: number | null | undefined, b: number | null) =>
      Math.abs((a ?? NaN) - (b ?? NaN))
    // They look at different moments, and at the process in clock ticks or more exactly.
    expect(apart(own?.process_cpu.mean_percent, profile.process_cpu.mean_percent)).toBeLessThan(15)
    expect(apart(own?.process_memory.max_mb, profile.process_memory.max_mb)).toBeLessThan(30)
  })

  it('with a folder for its log, and without profiles', async () => {
    const logDir = join(directory, 'custom', 'logs')
    const monitor = new JobMonitor({ logDir, enableProfiling: false })
    await monitor.trackJob({ taskId: 'a', tool: 'fenicsx', script: 'poisson.py' }, () => undefined)
    const line = JSON.parse(readFileSync(join(logDir, 'jobs_history.jsonl'), 'utf8')) as object
    expect(line).toMatchObject({ task_id: 'a', resource_usage: resourceUsage, has_result: true })
    expect(line).not.toHaveProperty('detailed_profile')
  })
})

describe('the documented uses of the pipeline', () => {
  it('for a task', async () => {
    await using pipeline = new TaskPipeline({ tools: tools() })
    const taskId = await pipeline.submitTask('fenicsx', 'poisson.py', { mesh_size: 64 })
    const result = await pipeline.waitForTask(taskId)
    expect(result).toMatchObject({ status: 'success', resource_usage: resourceUsage })
    expect(result.stdout).toBe("['64']\n")
    expectProfile(result.detailed_profile)
  })

  it('for a workflow', async () => {
    await using pipeline = new TaskPipeline({ tools: tools() })
    const tasks = [
      { tool: 'fenicsx', script: 'poisson.py', params: { mesh_size: 32 } },
      { tool: 'lammps', script: 'example.lammps', params: {} },
    ]
    const taskIds = await pipeline.submitWorkflow(tasks, { sequential: true })
    const results = await pipeline.waitForWorkflow(taskIds)
    expect(results.map(({ task_id: id }) => id)).toEqual(taskIds)
    const monitor = getMonitor()
    const told: string[] = []
    for (const taskId of taskIds) {
      const job = await monitor.getJobStats(taskId)
      told.push(`${job?.tool}: ${job?.status} - ${job?.duration_seconds}s`)
    }
    expect(told).toEqual([
      expect.stringMatching(/^fenicsx: success - \d+\.\d+s$/),
      expect.stringMatching(/^lammps: success - \d+\.\d+s$/),
    ])
  })
})

describe('the commands', () => {
  it('show what a program has monitored', async () => {
    using box = sandbox()
    const monitor = new JobMonitor({ ledger: box.db })
    const job = { tool: 'fenicsx', script: 'poisson.py', params: { mesh_size: 64 } }
    await monitor.trackJob({ taskId: 'my-task-123', ...job }, () => undefined)
    await monitor.trackJob({ taskId: 'other', tool: 'lammps' }, (tracker) =>
      tracker.setStatus('failed', { returncode: 1, error: 'lost atoms' }),
    )
    const say = async (...args: string[]) => (await box.jobmeter(args)).stdout
    const history = await say('job-history', '--tool', 'fenicsx')
    expect(history).toContain('Tool: fenicsx, Script: poisson.py\n   Status: SUCCESS')
    expect(history).not.toContain('lammps')
    expect(await say('history', '--status', 'failed')).toContain('Error: lost atoms')
    const details = await say('job-details', 'my-task-123')
    expect(details).toContain('"mesh_size": 64')
    expect(details).toContain('getrusage of this program')
    const stats = JSON.parse(await say('job-stats', '--format', 'json')) as unknown
    expect(stats).toEqual(await monitor.getSummaryStatistics())
    expect(stats).toMatchObject({ total_jobs: 2, by_tool: { fenicsx: { count: 1 } } })
    const series = JSON.parse(await say('series', 'my-task-123', '--format', 'json')) as {
      samples: unknown[]
    }
    expect(series.samples.length).toBeGreaterThan(0)
  })
})
