import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someRun, someWorkflow, WorkflowInLedger } from '../../../test/contracts/workflows.ts'
import { sandbox, type Ended, type Sandbox } from '../../../test/program.ts'
import type { Owner } from '../../model/machine.ts'
import { stdioPath } from '../../model/stdio-path.ts'
import type { ResultJson } from '../../render/workflow/results-rows.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import { openSqliteLedger } from '../../store/ledger/open.ts'
import { realSystem } from '../../system/real.ts'
import { ourselves } from '../../record/owner.ts'
import { LifeSign } from '../../store/spool/life-sign.ts'

let box: Sandbox
let ledger: Ledger
beforeEach(() => {
  box = sandbox()
  ledger = openSqliteLedger(box.db)
})
afterEach(() => {
  ledger.close()
  box[Symbol.dispose]()
})

const ask = (...argv: string[]): Promise<Ended> => box.jobmeter(argv)
const json = async (...argv: string[]): Promise<unknown> => {
  const ended = await ask(...argv, '--format', 'json')
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  return JSON.parse(ended.stdout)
}
const put = (...names: string[]) => new WorkflowInLedger(ledger, someWorkflow(names))
const us = (): Owner => ourselves(realSystem({ ownsProcess: false }))

/** `b` failed at first and then succeeded, `c` failed, `d` was never run. */
function ranTwice(): WorkflowInLedger {
  const workflow = put('a', 'b', 'c', 'd')
  const outputDirectory = box.path('out')
  const begun = { ...someRun, startedAt: 1_700_000_000, outputDirectory }
  const first = ledger.workflows.beginRun(workflow.id, begun)
  workflow.end(workflow.begin('a', first, 1))
  workflow.end(workflow.begin('b', first, 1), 'failed')
  const second = ledger.workflows.beginRun(workflow.id, begun)
  workflow.end(workflow.begin('b', second, 2))
  workflow.end(workflow.begin('c', second, 1), 'timeout')
  return workflow
}

/** A living process that pretends to run the workflow. */
function runner(workflowId: number) {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' })
  const pid = child.pid ?? 0
  const startTicks = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[21])
  ledger.workflows.lease(workflowId, { ...us(), pid, startTicks })
  const ended = new Promise<string | null>((resolve) => {
    child.once('exit', (_, signal) => resolve(signal))
  })
  return { pid, ended, kill: () => child.kill('SIGKILL') }
}

describe('jobs chosen by how they stand', () => {
  const commands = [
    ['jobs', 'list'],
    ['results', 'list'],
    ['job-history', '--all'],
  ]
  const ways = [['--status', 'TimeOut'], ['--state', 'timeout,cancelled'], ['--failed']]

  it.each(commands)('are the same for `%s %s`, however they are asked for', async (...words) => {
    ranTwice()
    const told = await Promise.all(ways.map((way) => json(...words, ...way)))
    const [first] = told
    expect(JSON.stringify(first)).toContain('"timeout"')
    expect(JSON.stringify(first)).not.toContain('"success"')
    // An attempt that failed before one that succeeded is in the history, and stands for nothing else.
    const same = words[0] === 'job-history' ? told.slice(0, 2) : told
    for (const each of same) expect(each).toEqual(first)
  })

  it('are set back alone', async () => {
    const { id } = ranTwice()
    const asked = ['workflows', 'reset', String(id), '--status', 'success']
    expect(await json(...asked)).toEqual({ workflow_id: id, jobs_reset: 2 })
    expect(await json('workflows', 'reset', String(id), '--failed')).toMatchObject({
      jobs_reset: 1,
    })
  })
})

describe('jobmeter workflows', () => {
  it('lists what it can do, and suggests', async () => {
    const help = await ask('workflows', '--help')
    expect(help.code).toBe(0)
    for (const name of 'create-from-spec plan list show status cancel reset delete'.split(' '))
      expect(help.stdout).toContain(`\n  ${name} `)
    expect(await ask('workflows', 'lits')).toMatchObject({
      code: 2,
      stderr: 'jobmeter: workflows: unknown command lits. Did you mean list?\n',
    })
    expect((await ask('workflows', 'reset', '--help')).stdout).toContain('--failed')
  })

  it('plan exits with 1 where a job can never start', async () => {
    const planned = (cpus: number, more = {}): Promise<Ended> => {
      const spec = {
        ...more,
        name: 'p',
        resource_requirements: [{ name: 'r', num_cpus: cpus, memory: '1m', runtime: 'PT1M' }],
        jobs: [{ name: 'a', command: 'true', resource_requirements: 'r' }],
      }
      writeFileSync(box.path('p.json'), JSON.stringify(spec))
      return ask('workflows', 'plan', box.path('p.json'))
    }
    expect((await planned(1)).code).toBe(0)
    const never = await planned(99_999)
    expect(never).toMatchObject({ code: 1, stderr: '' })
    expect(never.stdout).toContain('can never start')
    // Slurm may have larger machines than this one.
    const slurm = { slurm_schedulers: [{ name: 's', account: 'a', walltime: '01:00:00' }] }
    expect((await planned(99_999, slurm)).code).toBe(0)
  })

  it('list and show say how things stand, or how to begin', async () => {
    expect((await ask('workflows', 'list')).stdout).toMatch(/^No workflows yet\. Create one/)
    const { id } = ranTwice()
    expect((await ask('workflows', 'list')).stdout).toContain('pipeline  ada')
    expect(await json('workflows', 'list')).toMatchObject([
      { workflow_id: id, job_count: 4, states: { success: 2, timeout: 1, waiting: 1 } },
    ])
    const shown = await ask('workflows', 'show', String(id))
    expect(shown.stdout).toContain('Spec: /home/ada/pipeline.yaml')
    expect(shown.stdout).toContain('jobmeter run-jobs')
    expect((await ask('workflows', 'show', '1', '--spec')).stdout).toBe('name: pipeline\n')
    expect(await json('workflows', 'show', '1')).toMatchObject({ runs: [{ run_id: 1 }, {}] })
    expect((await ask('workflows', 'status', '1')).stdout).toContain('TIMEOUT')
    expect(await json('--format', 'json', 'workflows', 'status', '1')).toMatchObject({
      latest_run_id: 2,
      runner: null,
    })
  })

  it.each(['show', 'status', 'cancel', 'reset', 'delete'])(
    '%s says what is wrong',
    async (name) => {
      expect(await ask('workflows', name, '9')).toMatchObject({
        code: 1,
        stderr: 'jobmeter: there is no workflow 9. See jobmeter workflows list\n',
      })
      expect(await ask('workflows', name, '1x')).toMatchObject({ code: 2 })
    },
  )

  it.each(['cancel', 'reset', 'delete'])('%s never guesses which one is meant', async (name) => {
    const workflow = ranTwice()
    const before = workflow.states()
    const refused = await ask('workflows', name)
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(`workflows ${name} needs ID`)
    expect(workflow.states()).toEqual(before)
    expect((await ask('run-jobs')).code).toBe(2)
  })

  it.each([
    ['workflows', 'show'],
    ['workflows', 'status'],
    ['jobs', 'list'],
    ['results', 'list'],
    ['reports', 'check-resource-utilization'],
    ['reports', 'recommend'],
    ['reports', 'scaling'],
    ['report'],
  ])('%s %s is about the newest unless told otherwise', async (...words) => {
    expect(await ask(...words)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No workflows yet') as string,
    })
    put('x')
    const { id } = ranTwice()
    // It is written to the current folder.
    const tidied = (ended: Ended) => ({ ...ended, stderr: '' })
    const newest = await ask(...words)
    const named = words[1] === 'scaling' ? ['--workflow', String(id)] : [String(id)]
    expect(tidied(newest)).toEqual(tidied(await ask(...words, ...named)))
    expect(newest.code).toBe(0)
  })

  it('says which is the newest, where the answer does not', async () => {
    ranTwice()
    const said = 'jobmeter: workflow 1 (pipeline), the newest\n'
    expect((await ask('results', 'list')).stderr).toBe(said)
    expect((await ask('jobs', 'list')).stderr).toBe(said)
    expect((await ask('report')).stderr).toContain(said)
    expect((await ask('workflows', 'status')).stderr).toBe('')
    expect(await json('results', 'list')).toMatchObject({ workflow_id: 1 })
    // What would change a file has to be told.
    expect((await ask('reports', 'recommend', '--write', 'x.yaml')).code).toBe(2)
  })

  it('reset has jobs run again', async () => {
    const workflow = ranTwice()
    const reset = await ask('workflows', 'reset', '1', '--failed')
    expect(reset.stdout).toMatch(/^1 job of workflow 1 set back to waiting\. Run them: /)
    expect(workflow.states()).toMatchObject({ a: 'success', b: 'success', c: 'waiting' })
    expect(await json('workflows', 'reset', '1')).toEqual({ workflow_id: 1, jobs_reset: 2 })
    expect(workflow.states()).toMatchObject({ a: 'waiting', b: 'waiting' })
  })

  it('delete takes it away', async () => {
    ranTwice()
    expect((await ask('workflows', 'delete', '1')).stdout).toBe('Deleted workflow 1.\n')
    expect(ledger.workflows.listWorkflows()).toEqual([])
    expect(ledger.jobs.find({})).toEqual([])
  })

  it('leaves alone what is being run, and has the runner stop', async () => {
    const workflow = ranTwice()
    const { pid, ended, kill } = runner(workflow.id)
    try {
      for (const name of ['reset', 'delete']) {
        const refused = await ask('workflows', name, '1')
        expect(refused.code).toBe(1)
        expect(refused.stderr).toContain(`is being run by process ${pid} `)
      }
      expect((await ask('workflows', 'status', '1')).stdout).toContain(`Runner: process ${pid} on`)
      expect((await ask('workflows', 'cancel', '1')).stdout).toContain(`Asked process ${pid}`)
      expect(await ended).toBe('SIGTERM')
    } finally {
      kill()
    }
    expect((await ask('workflows', 'status', '1')).stdout).toContain('which has died')
    expect((await ask('workflows', 'reset', '1')).code).toBe(0)
  })

  it('cancel tidies up after a runner that died, and asks none of another machine', async () => {
    const workflow = put('a', 'b')
    const dead = { ...us(), pid: 2 ** 22 - 1, startTicks: 7 }
    ledger.workflows.lease(workflow.id, dead)
    const jobId = workflow.jobId('a')
    ledger.workflows.setStates([{ jobId, state: 'running' }])
    expect(await json('workflows', 'cancel', '1')).toEqual({
      workflow_id: 1,
      runner_pid: null,
      jobs_cancelled: 1,
    })
    expect(workflow.states()).toEqual({ a: 'cancelled', b: 'waiting' })
    expect(ledger.workflows.findWorkflowRow(1)?.leasedBy).toBeNull()
    const { tryLock } = realSystem({ ownsProcess: false }).files
    const { isLocked } = LifeSign.make(box.db, 'far', tryLock)
    const sign = { name: 'far', isLocked }
    ledger.workflows.lease(workflow.id, { ...us(), host: 'far-away', sign })
    const refused = await ask('workflows', 'cancel', '1')
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Cancel it there') })
  })
})

describe('jobmeter jobs list', () => {
  it('shows the jobs of a workflow', async () => {
    ranTwice()
    const listed = await ask('jobs', 'list', '1')
    expect(listed.stdout.split('\n')).toHaveLength(6)
    expect(listed.stdout).toMatch(/^Job ID +Job Name +State +Depends On +Request +Attempts\n/)
    expect(await json('jobs', 'list', '1', '--state', 'timeout')).toMatchObject({
      workflow_id: 1,
      jobs: [{ job_name: 'c', state: 'timeout', attempts: 1 }],
    })
    expect((await ask('jobs', 'list', '1', '--state', 'error')).stdout).toContain(
      'No job of workflow 1 is error.',
    )
  })
})

describe('jobmeter results list', () => {
  const names = async (...argv: string[]) => {
    const answer = await json('results', 'list', '1', ...argv)
    const { results } = answer as { results: ResultJson[] }
    return results.map((row) => `${row.job_name} ${row.run_id}.${row.attempt}`)
  }

  it('says how many earlier attempts it leaves out, and what shows them', async () => {
    ranTwice()
    const words = '1 earlier attempt not shown: --all-runs shows every attempt.'
    expect((await ask('results', 'list', '1')).stdout).toContain(`${words}\n`)
    // b failed and then succeeded: its failure is not its latest result.
    expect((await ask('results', 'list', '1', '--status', 'failed')).stdout).toBe(
      `No result matches.\n${words}\n`,
    )
    for (const all of [['--all-runs'], ['--run-id', '1'], ['--status', 'timeout']])
      expect((await ask('results', 'list', '1', ...all)).stdout).not.toContain('not shown')
  })

  it('takes neither jobs that left the workflow nor damaged records for earlier attempts', async () => {
    const workflow = ranTwice()
    const damaged = new DatabaseSync(box.db)
    damaged.prepare('UPDATE attempt SET exit_code = 1000 WHERE job_id = ?').run(workflow.jobId('a'))
    damaged.close()
    const mended = someWorkflow(['a', 'c', 'd'])
    ledger.workflows.mendWorkflow(workflow.id, {
      ...mended,
      states: ['success', 'timeout', 'waiting'],
    })
    const { stdout, stderr } = await ask('results', 'list', '1')
    expect(stdout).not.toContain('not shown')
    expect(stderr.match(/damaged/g)).toHaveLength(1)
  })

  it('shows the latest, those of a run, all, or what failed', async () => {
    put('a')
    expect((await ask('results', 'list', '1')).stdout).toBe(
      'Workflow 1 has not run yet. Run it: jobmeter run-jobs 1\n',
    )
    ledger.workflows.deleteWorkflow(1)
    const { id } = ranTwice()
    const listed = await ask('results', 'list', String(id))
    expect(listed.stdout).toMatch(/Peak CPU % +Avg CPU % +Peak Mem +Avg Mem\n/)
    const csv = await ask('results', 'list', String(id), '--format', 'csv')
    expect(csv.stdout.split('\n')).toHaveLength(5)
  })

  it('takes the filters together', async () => {
    ranTwice()
    expect(await names()).toEqual(['a 1.1', 'b 2.2', 'c 2.1'])
    expect(await names('--run-id', '1')).toEqual(['a 1.1', 'b 1.1'])
    expect(await names('--all-runs')).toEqual(['a 1.1', 'b 1.1', 'b 2.2', 'c 2.1'])
    expect(await names('--failed')).toEqual(['c 2.1'])
    expect(await names('--all-runs', '--failed')).toEqual(['b 1.1', 'c 2.1'])
    expect((await ask('results', 'list', '1', '--run-id', '7')).stderr).toContain('has had 2 runs')
    expect((await ask('results', 'list', '1', '--run-id', '1', '--all-runs')).code).toBe(2)
  })
})

describe('jobmeter logs', () => {
  const logs = (workflow: WorkflowInLedger, name: string, runId: number, attempt: number) => {
    mkdirSync(box.path('out/job_stdio'), { recursive: true })
    const place = { workflowId: workflow.id, jobId: workflow.jobId(name), runId, attempt }
    return (stream: 'o' | 'e') => stdioPath(box.path('out'), place, stream)
  }

  it('prints what the latest attempt wrote, or the one that is named', async () => {
    const workflow = ranTwice()
    writeFileSync(logs(workflow, 'b', 1, 1)('o'), 'first\n')
    const second = logs(workflow, 'b', 2, 2)
    writeFileSync(second('o'), Uint8Array.of(255, 0, 10))
    writeFileSync(second('e'), 'second, wrong\n')
    const jobId = String(workflow.jobId('b'))
    expect((await ask('logs', 'b', '--stderr')).stdout).toBe('second, wrong\n')
    expect((await ask('logs', jobId, '--attempt', '1')).stdout).toBe('first\n')
    expect((await ask('logs', 'b', '--workflow', '1', '--stdout')).stdout).toBe('\ufffd\0\n')
    expect((await ask('logs', 'b', '--workflow', '1')).stdout).toBe(
      '==> standard output <==\n\ufffd\0\n\n==> standard error <==\nsecond, wrong\n',
    )
    expect((await ask('logs')).stdout).toBe(
      '==> b: standard output <==\n\ufffd\0\n\n==> b: standard error <==\nsecond, wrong\n',
    )
    expect((await ask('logs', '-f')).code).toBe(2)
  })

  it('says why there is nothing to print', async () => {
    const workflow = ranTwice()
    expect((await ask('logs', 'nobody')).stderr).toContain('the id or name "nobody"')
    expect((await ask('logs', 'a', '--workflow', '7')).stderr).toContain('there is no workflow 7')
    expect((await ask('logs', 'd')).stderr).toContain('job d has not started yet')
    expect((await ask('logs', 'b', '--attempt', '5')).stderr).toContain('has had 2 attempts')
    const missing = await ask('logs', 'a')
    expect(missing.code).toBe(1)
    expect(missing.stderr).toContain(`${box.path('out/job_stdio')} does not exist`)
    // A log that stays empty is never made.
    logs(workflow, 'a', 1, 1)
    const said = (text: string) => ({ code: 0, stdout: '', stderr: `jobmeter: ${text}\n` })
    expect(await ask('logs', 'a')).toMatchObject(said('job a wrote nothing'))
    expect(await ask('logs', 'a', '-f')).toMatchObject(said('job a wrote nothing'))
    expect(await ask('logs', 'a', '--stderr')).toMatchObject(
      said('job a wrote nothing to its standard error'),
    )
    expect(await ask('logs')).toMatchObject(said('no job of workflow 1 has written anything'))
  })

  it('prints the logs that can be read, and names the others', async () => {
    const workflow = put('a', 'b', 'c')
    const begin = (name: string, folder: string) => {
      const run = { ...someRun, startedAt: 1, outputDirectory: box.path(folder) }
      const runId = ledger.workflows.beginRun(workflow.id, run)
      workflow.end(workflow.begin(name, runId, 1), 'success')
      return runId
    }
    writeFileSync(logs(workflow, 'a', begin('a', 'out'), 1)('o'), 'hello\n')
    const unreadable = logs(workflow, 'b', begin('b', 'out'), 1)('e')
    mkdirSync(unreadable)
    begin('c', 'gone')
    const { code, stdout, stderr } = await ask('logs')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '==> a: standard output <==\nhello\n' })
    expect(stderr).toContain(`${unreadable} is not a regular file`)
    expect(stderr).toContain(`${box.path('gone/job_stdio')} does not exist`)
    rmSync(logs(workflow, 'a', 1, 1)('o'))
    const nothing = await ask('logs')
    expect(nothing).toMatchObject({ code: 1, stdout: '' })
    expect(nothing.stderr).not.toContain('has written anything')
  })

  it('follows until the attempt ends', async () => {
    const workflow = put('a')
    const begun = { ...someRun, startedAt: 1, outputDirectory: box.path('out') }
    const runId = ledger.workflows.beginRun(workflow.id, begun)
    // Its owner is a process that lives: this one.
    const ref = workflow.begin('a', runId, 1, us())
    const path = logs(workflow, 'a', runId, 1)('o')
    writeFileSync(path, 'one\n')
    const following = box.start(['logs', 'a', '--follow'])
    await following.saw('one\n')
    appendFileSync(path, 'two\n')
    await following.saw('two\n')
    appendFileSync(path, 'three\n')
    workflow.end(ref)
    expect(await following.ended).toMatchObject({ code: 0, stdout: 'one\ntwo\nthree\n' })
  })

  it('follows both streams from before there are files, and ends with Ctrl-C', async () => {
    const workflow = put('a')
    const begun = { ...someRun, startedAt: 1, outputDirectory: box.path('out') }
    const runId = ledger.workflows.beginRun(workflow.id, begun)
    workflow.begin('a', runId, 1, us())
    const path = logs(workflow, 'a', runId, 1)
    const quiet = await ask('logs', 'a')
    expect(quiet).toMatchObject({ code: 0, stderr: 'jobmeter: job a has written nothing yet\n' })
    const following = box.start(['logs', 'a', '-f'])
    writeFileSync(path('o'), 'one\n')
    await following.saw('one\n')
    writeFileSync(path('e'), 'oops\n')
    await following.saw('oops\n')
    following.signal('SIGINT')
    expect(await following.ended).toEqual({
      code: 130,
      signal: null,
      stdout: 'one\n\n==> standard error <==\noops\n',
      stderr: '',
    })
  })

  it('waits for a job that has not started while its workflow is run, and ends with its runner', async () => {
    const workflow = put('a')
    const { pid, kill, ended } = runner(workflow.id)
    const following = box.start(['logs', 'a', '-f'])
    await following.saw('job a has not started yet; waiting for it\n')
    const begun = { ...someRun, startedAt: 1, outputDirectory: box.path('out') }
    const runId = ledger.workflows.beginRun(workflow.id, begun)
    const startTicks = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[21])
    const path = logs(workflow, 'a', runId, 1)
    writeFileSync(path('o'), 'begun\n')
    workflow.begin('a', runId, 1, { ...us(), pid, startTicks })
    await following.saw('begun\n')
    kill()
    await ended
    expect(await following.ended).toMatchObject({ code: 0, stdout: 'begun\n' })
  })
})
