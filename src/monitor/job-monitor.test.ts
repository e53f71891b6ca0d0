import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readLedger } from '../record/read-ledger.ts'
import type { MonitoredJob } from './job-json.ts'
import { JobMonitor } from './job-monitor.ts'
import type { Logger } from './log-lines.ts'

let directory: string
let ledger: string
let logDir: string
let logged: string[]
const logger: Logger = {
  info: (text) => void logged.push(`INFO - ${text}`),
  warn: (text) => void logged.push(`WARNING - ${text}`),
  error: (text) => void logged.push(`ERROR - ${text}`),
}
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-monitor-'))
  ledger = join(directory, 'ledger.db')
  logDir = join(directory, 'logs')
  logged = []
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const historyLines = (): MonitoredJob[] =>
  readFileSync(join(logDir, 'jobs_history.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as MonitoredJob)

/** Computes for so long, and answers the CPU time of this process meanwhile. */
function compute(milliseconds: number): number {
  const before = process.cpuUsage()
  const end = performance.now() + milliseconds
  while (performance.now() < end) Math.sqrt(Math.random())
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** The same in a child, which tells what it used. */
async function computeInChild(milliseconds: number): Promise<number> {
  const program = `const end = performance.now() + ${milliseconds}
    while (performance.now() < end) Math.sqrt(Math.random())
    const { user, system } = process.cpuUsage()
    process.stdout.write(String((user + system) / 1e6))`
  const child = spawn(process.execPath, ['-e', program])
  let told = ''
  child.stdout.on('data', (text: Buffer) => (told += String(text)))
  await once(child, 'close')
  return Number(told)
}

describe('monitoring a job from start to stop', () => {
  it('answers and records what the program used in between', async () => {
    const monitor = new JobMonitor({ ledger, logDir, logger })
    compute(200)
    await monitor.startMonitoring({
      taskId: 'my-task-123',
      tool: 'fenicsx',
      script: 'poisson.py',
      params: { mesh_size: 64 },
    })
    const cpuSeconds = compute(150)
    const stats = await monitor.stopMonitoring({ taskId: 'my-task-123', returncode: 0 })
    compute(100)

    expect(stats).toMatchObject({
      task_id: 'my-task-123',
      tool: 'fenicsx',
      script: 'poisson.py',
      name: 'poisson.py',
      params: { mesh_size: 64 },
      status: 'success',
      returncode: 0,
      error: null,
      has_result: true,
    })
    expect(stats.duration_seconds).toBeGreaterThan(0.149)
    const told = stats.resource_usage.cpu_total_seconds ?? NaN
    expect(told).toBeGreaterThan(cpuSeconds * 0.99)
    // Starting and stopping, and looks in between, are some milliseconds of this program's own time.
    expect(told).toBeLessThan(cpuSeconds + 0.09)
    expect(stats.basis.cpu_total_seconds).toMatch(/^getrusage of this program and /)
    expect(stats.basis.memory_peak_bytes).toMatch(/of the whole program$/)
    expect(stats.detailed_profile).toMatchObject({ sampling_interval_seconds: 0.5 })
    expect(await monitor.getJobStats('my-task-123')).toEqual({ ...stats, job_id: 1 })
    expect(await monitor.getJobStats(stats.record_id)).toMatchObject({ task_id: 'my-task-123' })
  })

  it('counts the children that it had', async () => {
    const monitor = new JobMonitor({ ledger })
    const { own, child } = await monitor.trackJob({ taskId: 'c', tool: 'lammps' }, async () => ({
      own: compute(50),
      child: await computeInChild(300),
    }))
    const stats = await monitor.getJobStats('c')
    const told = stats?.resource_usage.cpu_total_seconds ?? NaN
    expect(told).toBeGreaterThan((own + child) * 0.97 - 0.02)
    expect(told).toBeLessThan(own + child + 0.12)
  })

  it('writes the log lines of the documented log', async () => {
    const monitor = new JobMonitor({ ledger, logger })
    const run = async (taskId: string, tool: string, end: object) => {
      await monitor.startMonitoring({
        taskId,
        tool,
        script: 'poisson.py',
        params: { mesh_size: 64 },
      })
      await monitor.stopMonitoring({ taskId, ...end })
    }
    await run('3f8a21b2c4d5', 'fenicsx', { status: 'success', returncode: 0 })
    await run('7b9e3f1a8c2d', 'lammps', { status: 'failed', returncode: 1 })
    await run('9c8d7e6f5a4b', 'lammps', { status: 'timeout' })
    await run('1', 'lammps', { status: 'error', error: 'no mesh' })
    await run('2', 'lammps', { status: 'cancelled' })
    const figures = logged.map((line) => line.replace(/\d+\.\d\ds/g, '#s'))
    const starting = (id: string, tool: string) =>
      `INFO - Starting job ${id}: tool=${tool}, script=poisson.py, params={'mesh_size': 64}`
    expect(figures).toEqual([
      starting('3f8a21b2c4d5', 'fenicsx'),
      'INFO - Job 3f8a21b2c4d5 completed successfully - Duration: #s, CPU: #s',
      starting('7b9e3f1a8c2d', 'lammps'),
      'ERROR - Job 7b9e3f1a8c2d failed with return code 1 - Duration: #s',
      starting('9c8d7e6f5a4b', 'lammps'),
      'WARNING - Job 9c8d7e6f5a4b timed out',
      starting('1', 'lammps'),
      'ERROR - Job 1 failed with an error - Duration: #s',
      'ERROR - Job 1: no mesh',
      starting('2', 'lammps'),
      'WARNING - Job 2 was cancelled - Duration: #s',
    ])
  })

  it('refuses to start one twice, or to stop one that is not there', async () => {
    const monitor = new JobMonitor({ ledger })
    await monitor.startMonitoring({ taskId: 'a', tool: 't' })
    await expect(monitor.startMonitoring({ taskId: 'a', tool: 't' })).rejects.toThrow(
      'job "a" is being monitored already. Call stopMonitoring first',
    )
    await expect(monitor.stopMonitoring({ taskId: 'b' })).rejects.toThrow(
      'no job "b" is being monitored (being monitored: a). Call startMonitoring first',
    )
    await monitor.stopMonitoring({ taskId: 'a' })
    await expect(monitor.stopMonitoring({ taskId: 'a' })).rejects.toThrow('(none is)')
    // The same id again is another attempt.
    await monitor.startMonitoring({ taskId: 'a', tool: 't' })
    await monitor.stopMonitoring({ taskId: 'a', status: 'failed' })
    expect((await monitor.getJobHistory()).map(({ status }) => status)).toEqual([
      'failed',
      'success',
    ])
    expect(await monitor.getJobStats('a')).toMatchObject({ status: 'failed' })
  })

  it('leaves a job running that is stopped with a status that there is not', async () => {
    const monitor = new JobMonitor({ ledger })
    await monitor.startMonitoring({ taskId: 'a', tool: 't' })
    const wrong = 'sucess' as 'success'
    await expect(monitor.stopMonitoring({ taskId: 'a', status: wrong })).rejects.toThrow('success?')
    expect(await monitor.stopMonitoring({ taskId: 'a' })).toMatchObject({ status: 'success' })
  })

  it('refuses what cannot be recorded', async () => {
    const monitor = new JobMonitor({ ledger })
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    expect(() => monitor.trackJob({ tool: 't', params: circle })).toThrow('params cannot be stored')
    expect(() => monitor.trackJob({ tool: ' ' })).toThrow('tool must be a text')
    expect(() => monitor.trackJob({ tool: 't', taskId: '' })).toThrow('Leave it out')
    expect(() => new JobMonitor({ intervalSeconds: 0 })).toThrow('0.01 or more')
    await expect(monitor.getJobHistory({ limit: 0 })).rejects.toThrow('limit 0')
    expect(await monitor.getJobHistory()).toEqual([])
  })

  it('says before a job begins that its ledger is none', async () => {
    writeFileSync(ledger, 'x'.repeat(200))
    const monitor = new JobMonitor({ ledger, logger })
    await expect(monitor.startMonitoring({ taskId: 'a', tool: 't' })).rejects.toThrow(
      'not a jobmeter ledger',
    )
    let began = false
    await expect(monitor.trackJob({ tool: 't' }, () => (began = true))).rejects.toThrow('ledger')
    expect(began).toBe(false)
    // Once there is none, a new one can be made.
    rmSync(ledger)
    expect(await monitor.trackJob({ tool: 't' }, () => 7)).toBe(7)
  })
})

describe('tracking a job', () => {
  it('answers what its work answers, and ends with it', async () => {
    const monitor = new JobMonitor({ ledger })
    const answer = await monitor.trackJob({ taskId: 'a', tool: 't' }, ({ taskId }) => `${taskId}!`)
    expect(answer).toBe('a!')
    expect(await monitor.getJobStats('a')).toMatchObject({ status: 'success' })
  })

  it('records the status that its work sets', async () => {
    const monitor = new JobMonitor({ ledger, logger })
    await monitor.trackJob({ taskId: 'a', tool: 't' }, async (tracker) => {
      tracker.setStatus('failed', { returncode: 2, error: 'no such mesh' })
    })
    expect(await monitor.getJobStats('a')).toMatchObject({
      status: 'failed',
      returncode: 2,
      error: 'no such mesh',
      has_result: false,
    })
    expect(logged.at(-1)).toBe('ERROR - Job a: no such mesh')
  })

  it('records what its work throws, and throws it on', async () => {
    const monitor = new JobMonitor({ ledger })
    const fault = new RangeError('mesh too fine')
    await expect(
      monitor.trackJob({ taskId: 'a', tool: 't' }, () => {
        throw fault
      }),
    ).rejects.toBe(fault)
    expect(await monitor.getJobStats('a')).toMatchObject({
      status: 'error',
      error: 'RangeError: mesh too fine',
    })
    await expect(
      monitor.trackJob({ taskId: 'b', tool: 't' }, async (tracker) => {
        tracker.setStatus('timeout')
        throw fault
      }),
    ).rejects.toBe(fault)
    expect(await monitor.getJobStats('b')).toMatchObject({ status: 'timeout' })
  })

  it('ends with the block that it is used in', async () => {
    const monitor = new JobMonitor({ ledger })
    {
      await using tracker = monitor.trackJob({ taskId: 'a', tool: 't' })
      compute(20)
      expect(await monitor.getJobStats('a')).toMatchObject({ status: 'running' })
      tracker.setStatus('failed', { returncode: 1 })
    }
    expect(await monitor.getJobStats('a')).toMatchObject({ status: 'failed', returncode: 1 })
  })

  it('is on disk before anything else happens', async () => {
    const monitor = new JobMonitor({ ledger })
    const tracker = monitor.trackJob({ taskId: 'a', tool: 't' })
    const [record = ''] = readdirSync(`${ledger}.spool`)
    expect(readFileSync(join(`${ledger}.spool`, record), 'utf8')).toContain('"task:a"')
    await tracker.end()
  })

  it('says that figures are shared where jobs overlap, and only there', async () => {
    const monitor = new JobMonitor({ ledger, logDir })
    const another = new JobMonitor({ ledger })
    await monitor.trackJob({ taskId: 'before', tool: 't' }, () => undefined)
    const first = monitor.trackJob({ taskId: 'first', tool: 't' })
    const second = another.trackJob({ taskId: 'second', tool: 't' })
    compute(20)
    await second.end()
    const third = another.trackJob({ taskId: 'third', tool: 't' })
    await first.end()
    await third.end()
    await monitor.trackJob({ taskId: 'after', tool: 't' }, () => undefined)
    const shared = async (taskId: string) => {
      const job = await another.getJobStats(taskId)
      return /shared: (\d+ other jobs?)/.exec(job?.basis.cpu_total_seconds ?? '')?.[1]
    }
    expect(await shared('before')).toBeUndefined()
    expect(await shared('first')).toBe('2 other jobs')
    expect(await shared('second')).toBe('1 other job')
    expect(await shared('third')).toBe('1 other job')
    expect(await shared('after')).toBeUndefined()
    const job = await monitor.getJobStats('first')
    expect(job?.usage).toMatchObject({ overlapping_jobs: 2 })
    expect(job?.basis.machine_memory_max_bytes).not.toContain('shared')
    expect(historyLines().find(({ task_id: id }) => id === 'first')).toMatchObject({
      overlapping_jobs: 2,
    })
  })

  it('has no profile where profiling is off, but all the rest', async () => {
    const monitor = new JobMonitor({ ledger, logDir, enableProfiling: false })
    const cpuSeconds = await monitor.trackJob({ taskId: 'a', tool: 't' }, () => compute(30))
    const job = await monitor.getJobStats('a')
    expect(job).toMatchObject({ detailed_profile: null, samples: { collected: 0 } })
    expect(job?.resource_usage.cpu_total_seconds).toBeGreaterThan(cpuSeconds * 0.99)
    expect(job?.resource_usage.memory_peak_mb).toBeGreaterThan(10)
    expect(Object.keys(historyLines()[0] ?? {})).not.toContain('detailed_profile')
  })

  it('goes on with a logger that throws and a folder that cannot be written to', async () => {
    writeFileSync(logDir, 'a file')
    const monitor = new JobMonitor({ ledger, logDir, logger })
    expect(await monitor.trackJob({ taskId: 'a', tool: 't' }, () => 7)).toBe(7)
    expect(logged.at(-1)).toMatch(/^WARNING - Job a is not in .*jobs_history\.jsonl: E/)
    const broken = () => {
      throw new Error('no disk')
    }
    const deaf = new JobMonitor({ ledger, logger: { info: broken, warn: broken, error: broken } })
    expect(await deaf.trackJob({ taskId: 'b', tool: 't' }, () => 8)).toBe(8)
  })
})

describe('the history', () => {
  it('has the documented keys in its file, in their order', async () => {
    const monitor = new JobMonitor({ ledger, logDir })
    await monitor.trackJob({ taskId: 'a', tool: 't', params: { mesh_size: 64 } }, () => undefined)
    const [line = {}] = historyLines()
    expect(Object.keys(line)).toEqual([
      'task_id',
      'tool',
      'script',
      'params',
      'start_time',
      'end_time',
      'duration_seconds',
      'status',
      'returncode',
      'resource_usage',
      'detailed_profile',
      'error',
      'has_result',
      'record_id',
    ])
    expect(Object.keys((line as MonitoredJob).resource_usage)).toEqual([
      'cpu_user_seconds',
      'cpu_system_seconds',
      'cpu_total_seconds',
      'memory_peak_mb',
    ])
    expect(statSync(join(logDir, 'jobs_history.jsonl')).mode & 0o777).toBe(0o600)
  })

  it('is filtered by tool and status, newest first', async () => {
    const monitor = new JobMonitor({ ledger })
    for (const [taskId, tool, status] of [
      ['1', 'fenicsx', 'success'],
      ['2', 'lammps', 'failed'],
      ['3', 'fenicsx', 'failed'],
      ['4', 'fenicsx', 'success'],
    ] as const)
      await monitor.trackJob({ taskId, tool }, (tracker) => tracker.setStatus(status))
    const ids = async (query: Parameters<JobMonitor['getJobHistory']>[0]) =>
      (await monitor.getJobHistory(query)).map(({ task_id: id }) => id)
    expect(await ids({})).toEqual(['4', '3', '2', '1'])
    expect(await ids({ limit: 2 })).toEqual(['4', '3'])
    expect(await ids({ tool: 'fenicsx' })).toEqual(['4', '3', '1'])
    expect(await ids({ tool: 'fenicsx', status: 'failed' })).toEqual(['3'])
    expect(await monitor.getJobStats('none')).toBeUndefined()
  })

  it('is that of the folder where there is one, and else that of the ledger', async () => {
    const other = new JobMonitor({ ledger })
    await other.trackJob({ taskId: 'other', tool: 't' }, () => undefined)
    const monitor = new JobMonitor({ ledger, logDir })
    await monitor.trackJob({ taskId: 'own', tool: 't' }, () => undefined)
    const again = new JobMonitor({ ledger, logDir: `${logDir}/` })
    expect((await again.getJobHistory()).map(({ task_id: id }) => id)).toEqual(['own'])
    expect(await again.getJobStats('other')).toBeUndefined()
    expect(await again.getSummaryStatistics()).toMatchObject({ total_jobs: 1 })
    expect(await other.getSummaryStatistics()).toMatchObject({ total_jobs: 2 })
  })
})

const program = (body: string): readonly string[] => [
  '--input-type=module-typescript',
  '-e',
  `import { JobMonitor } from ${JSON.stringify(join(import.meta.dirname, '../index.ts'))}
   const monitor = new JobMonitor({ ledger: process.argv[1], logDir: process.argv[2], intervalSeconds: 0.05 })
   ${body}`,
  ledger,
  logDir,
]

describe('a program that is over', () => {
  it('by kill -9 leaves what was finished, and what was running as interrupted', async () => {
    const child = spawn(
      process.execPath,
      program(`
        await monitor.trackJob({ taskId: 'done', tool: 't' }, () => undefined)
        await using tracker = monitor.trackJob({ taskId: 'running', tool: 't' })
        setTimeout(() => console.log('under way'), 1300)
        await new Promise((go) => setTimeout(go, 60_000))`),
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'close')
    const monitor = new JobMonitor({ ledger, logDir })
    const [running, done] = await monitor.getJobHistory()
    expect(done).toMatchObject({ task_id: 'done', status: 'success' })
    expect(running).toMatchObject({ task_id: 'running', status: 'interrupted', has_result: false })
    // Its samples tell how far it was seen.
    expect(running?.duration_seconds).toBeGreaterThan(0.5)
    expect(historyLines().map(({ task_id: id }) => id)).toEqual(['done'])
    const reader = readLedger(ledger)
    expect(await reader.jobs.count({ status: 'running' })).toBe(0)
    await reader.close()
  })

  it('is not kept alive by a job that nobody stops', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      program(`await monitor.startMonitoring({ taskId: 'a', tool: 't' })`),
      { encoding: 'utf8', timeout: 90_000 },
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})
