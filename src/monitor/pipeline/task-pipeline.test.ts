import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { JobMonitor } from '../job-monitor.ts'
import { TaskPipeline } from './task-pipeline.ts'
import type { Tools } from './tools.ts'

let directory: string
let monitor: JobMonitor
let logged: string[]
const log = (text: string): void => void logged.push(text)
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-pipeline-'))
  logged = []
  monitor = new JobMonitor({
    ledger: join(directory, 'ledger.db'),
    logDir: join(directory, 'logs'),
    logger: { info: log, warn: log, error: log },
  })
  writeFileSync(join(directory, 'poisson.sh'), 'echo "mesh $1"\n')
  writeFileSync(join(directory, 'broken.sh'), 'echo "no mesh" >&2; exit 4\n')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const tools = (): Tools => ({
  fenicsx: {
    command: ['sh', '{script}', '{params.mesh_size}'],
    workingDirectory: directory,
    timeoutSeconds: 30,
  },
  sh: { command: ['sh', '{script}'], workingDirectory: directory },
  sleep: ['sleep', '60'],
  echo: ({ params }) => ['echo', String(params['words']), JSON.stringify(params)],
})
const open = (more: object = {}) => new TaskPipeline({ tools: tools(), monitor, ...more })

describe('a task', () => {
  it('runs what its tool says, and is recorded as a job of the monitor', async () => {
    await using pipeline = open()
    const taskId = await pipeline.submitTask('fenicsx', 'poisson.sh', { mesh_size: 64 })
    const result = await pipeline.waitForTask(taskId)
    expect(result).toMatchObject({
      task_id: taskId,
      tool: 'fenicsx',
      script: 'poisson.sh',
      params: { mesh_size: 64 },
      status: 'success',
      returncode: 0,
      stdout: 'mesh 64\n',
      stderr: '',
    })
    expect(result.duration_seconds).toBeGreaterThan(0)
    expect(result.resource_usage.cpu_total_seconds).toBeGreaterThanOrEqual(0)
    expect(await pipeline.getTaskStatus(taskId)).toBe('success')
    const job = await monitor.getJobStats(taskId)
    expect(job).toMatchObject({ task_id: taskId, command: ['sh', 'poisson.sh', '64'] })
    const lines = readFileSync(join(directory, 'logs/jobs_history.jsonl'), 'utf8')
    expect(JSON.parse(lines)).toMatchObject({ task_id: taskId, tool: 'fenicsx' })
    expect(logged[0]).toBe(
      `Starting job ${taskId}: tool=fenicsx, script=poisson.sh, params={'mesh_size': 64}`,
    )
    expect(logged[1]).toMatch(/completed successfully - Duration: \d+\.\d\ds, CPU: \d+\.\d\ds$/)
  })

  it('fails without an exception, and says what it printed', async () => {
    await using pipeline = open()
    const result = await pipeline.waitForTask(await pipeline.submitTask('sh', 'broken.sh'))
    expect(result).toMatchObject({ status: 'failed', returncode: 4, stderr: 'no mesh\n' })
    expect(logged[1]).toMatch(/ failed with return code 4 - Duration: /)
  })

  it('ends after its time, by the tool or by the task', async () => {
    await using pipeline = open()
    const taskId = await pipeline.submitTask('sleep', undefined, {}, { timeoutSeconds: 0.2 })
    expect(await pipeline.waitForTask(taskId)).toMatchObject({ status: 'timeout' })
    expect(logged.at(-1)).toBe(`Job ${taskId} timed out`)
  })

  it('may be waited for in vain, and cancelled', async () => {
    await using pipeline = open()
    const taskId = await pipeline.submitTask('sleep')
    await expect(pipeline.waitForTask(taskId, { timeoutSeconds: 0.05 })).rejects.toThrow(
      `task ${taskId} is not over after 0.05 s and goes on. Wait again, or end it with cancelTask`,
    )
    expect(await pipeline.cancelTask(taskId)).toBe(true)
    expect(await pipeline.waitForTask(taskId)).toMatchObject({ status: 'cancelled' })
    expect(await pipeline.cancelTask(taskId)).toBe(false)
  })

  it('gets its arguments as they are, with no shell in between', async () => {
    await using pipeline = open()
    const words = '$(id) "; rm -rf * \n {script} {params.words} é'
    const { stdout } = await pipeline.waitForTask(
      await pipeline.submitTask('echo', undefined, { words, list: [1, null] }),
    )
    expect(stdout).toBe(`${words} ${JSON.stringify({ words, list: [1, null] })}\n`)
    const literal = new TaskPipeline({
      tools: { t: ['printf', '%s|', '{params.a}', '{params}', '{other}', '--b={params.b}'] },
      monitor,
    })
    const task = await literal.submitTask('t', undefined, { a: '{params.b}', b: [true] })
    expect((await literal.waitForTask(task)).stdout).toBe(
      '{params.b}|{"a":"{params.b}","b":[true]}|{other}|--b=[true]|',
    )
  })

  it('is refused if nobody could run it, with what to do', async () => {
    await using pipeline = open()
    const refused = async (submit: Promise<unknown>, code: string, words: RegExp) => {
      await expect(submit).rejects.toMatchObject({ name: 'MonitorError', code })
      await expect(submit).rejects.toThrow(words)
    }
    await refused(
      pipeline.submitTask('fenicx', 'poisson.sh'),
      'unknown-tool',
      /no tool is called "fenicx"\. Did you mean fenicsx\? Its tools are fenicsx, sh, sleep, echo/,
    )
    await refused(
      new TaskPipeline({ monitor }).submitTask('lammps', 'x'),
      'unknown-tool',
      /has no tools: new TaskPipeline\(\{ tools: \{ "lammps": /,
    )
    await refused(
      pipeline.submitTask('fenicsx', 'poison.sh', { mesh_size: 1 }),
      'missing-script',
      /there is no script .*\/poison\.sh\. Give its path, or set workingDirectory/,
    )
    await refused(pipeline.submitTask('sh'), 'missing-script', /the tool "sh" needs a script/)
    await refused(
      pipeline.submitTask('fenicsx', 'poisson.sh', { meshsize: 1 }),
      'missing-parameter',
      /needs the parameter "mesh_size"\. Did you mean meshsize\? Given: meshsize/,
    )
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    await refused(pipeline.submitTask('echo', undefined, circle), 'not-valid', /stored as JSON/)
    await refused(
      pipeline.submitTask('fenicsx', 'poisson.sh', { mesh_size: 'a\0b' }),
      'not-valid',
      /must be a list of texts/,
    )
    await refused(
      pipeline.submitTask('sleep', undefined, {}, { timeoutSeconds: -1 }),
      'not-valid',
      /timeoutSeconds -1 must be a number above 0/,
    )
    await refused(pipeline.waitForTask('none'), 'unknown-task', /this pipeline has no task "none"/)
    await refused(pipeline.cancelTask('none'), 'unknown-task', /getJobStats/)
    expect(() => open({ parallel: 0 })).toThrow('parallel must be a whole number')
    expect(() => open({ intervalSeconds: Number.NaN })).toThrow('intervalSeconds must be 0.01')
    await pipeline.close()
    await refused(pipeline.submitTask('sleep'), 'closed', /Make another TaskPipeline/)
    expect(await monitor.getJobHistory()).toEqual([])
  })

  it('is not run where its ledger is none, and says so', async () => {
    const ledger = join(directory, 'no-ledger')
    writeFileSync(ledger, 'x'.repeat(200))
    const logger = { info: log, warn: log, error: log }
    await using pipeline = open({ monitor: new JobMonitor({ ledger, logger }) })
    const taskId = await pipeline.submitTask('sh', 'poisson.sh')
    const { status, error, stdout } = await pipeline.waitForTask(taskId)
    expect({ status, stdout }).toEqual({ status: 'error', stdout: '' })
    expect(error).toContain('not a jobmeter ledger')
    expect(logged.at(-1)).toMatch(/ was not run: .*not a jobmeter ledger/)
  })

  it('has a script elsewhere if its tool says so', async () => {
    await using pipeline = open({
      tools: { inside: { command: ['echo', '{script}'], scriptIsFile: false } },
    })
    const taskId = await pipeline.submitTask('inside', '/only/in/a/container.py')
    expect((await pipeline.waitForTask(taskId)).stdout).toBe('/only/in/a/container.py\n')
  })

  it('counts for jobs that are tracked meanwhile as another job of the program', async () => {
    await using pipeline = open()
    await monitor.trackJob({ taskId: 'around', tool: 't' }, async () =>
      pipeline.waitForTask(await pipeline.submitTask('fenicsx', 'poisson.sh', { mesh_size: 1 })),
    )
    const around = await monitor.getJobStats('around')
    expect(around?.usage).toMatchObject({ overlapping_jobs: 1 })
    expect(around?.basis.cpu_total_seconds).toContain('shared: 1 other job ran in this program')
  })
})

describe('a workflow', () => {
  it('runs its tasks one after the other, until one fails', async () => {
    await using pipeline = open({ parallel: 4 })
    const good = { tool: 'fenicsx', script: 'poisson.sh', params: { mesh_size: 32 } }
    const bad = { tool: 'sh', script: 'broken.sh' }
    const ids = await pipeline.submitWorkflow([good, bad, good], { sequential: true })
    const results = await pipeline.waitForWorkflow(ids)
    expect(results.map(({ task_id: id }) => id)).toEqual(ids)
    expect(results.map(({ status }) => status)).toEqual(['success', 'failed', 'cancelled'])
    expect(results[2]?.error).toBe(
      `not run, because task ${ids[1]} before it ended with the status failed`,
    )
    const [first, second] = results
    expect(Date.parse(second?.start_time ?? '')).toBeGreaterThanOrEqual(
      Date.parse(first?.end_time ?? ''),
    )
    // What never began has no record.
    expect((await monitor.getJobHistory()).length).toBe(2)
  })

  it('runs them beside each other, whatever becomes of one', async () => {
    await using pipeline = open({ parallel: 2 })
    const tasks = ['broken.sh', 'poisson.sh'].map((script) => ({ tool: 'sh', script }))
    const ids = await pipeline.submitWorkflow(tasks, { sequential: false })
    const results = await pipeline.waitForWorkflow(ids)
    expect(results.map(({ status }) => status)).toEqual(['failed', 'success'])
  })

  it('is refused as a whole if one task is', async () => {
    await using pipeline = open()
    const tasks = [{ tool: 'sh', script: 'poisson.sh' }, { tool: 'shh' }]
    await expect(pipeline.submitWorkflow(tasks)).rejects.toThrow('no tool is called "shh"')
    expect(await monitor.getJobHistory()).toEqual([])
    expect(await pipeline.waitForWorkflow(await pipeline.submitWorkflow([]))).toEqual([])
  })
})

describe('a program with a pipeline', () => {
  it('ends when its tasks are over, and not before', () => {
    const index = join(import.meta.dirname, '../../index.ts')
    const program = `
      import { JobMonitor, TaskPipeline } from ${JSON.stringify(index)}
      const monitor = new JobMonitor({ ledger: process.argv[1] })
      const pipeline = new TaskPipeline({ monitor, tools: { sh: ['sh', '-c', 'sleep 0.3; echo done > {params.file}'] } })
      await pipeline.submitTask('sh', undefined, { file: process.argv[2] })`
    const file = join(directory, 'done')
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ['--input-type=module-typescript', '-e', program, join(directory, 'other.db'), file],
      { encoding: 'utf8', timeout: 90_000 },
    )
    expect({ status, stderr, stdout }).toEqual({ status: 0, stderr: '', stdout: '' })
    expect(readFileSync(file, 'utf8')).toBe('done\n')
  })
})
