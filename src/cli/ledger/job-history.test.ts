import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someEnd, someStart } from '../../../test/contracts/attempts.ts'
import { someWorkflow, WorkflowInLedger } from '../../../test/contracts/workflows.ts'
import { sandbox, type Sandbox } from '../../../test/program.ts'
import type { Job } from '../../model/job.ts'
import type { RecordJson } from '../../render/record/record-json.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import { openSqliteLedger } from '../../store/ledger/open.ts'

let box: Sandbox
let ledger: Ledger
let made = 0
beforeEach(() => {
  box = sandbox()
  ledger = openSqliteLedger(box.db)
})
afterEach(() => {
  ledger.close()
  box[Symbol.dispose]()
})

/** Thirty minutes before New York puts its clocks back, and then every twenty minutes. */
const firstStart = Date.UTC(2025, 10, 2, 5, 30) / 1000

function put(job: Partial<Job>, user = 'ada', status: 'success' | 'failed' = 'success'): string {
  made += 1
  const taskId = made.toString(16).padStart(32, 'ab')
  const start = someStart(taskId, { job, user, startedAt: firstStart + made * 1200 })
  const end = someEnd()
  ledger.jobs.finish(ledger.jobs.begin(start), { ...end, outcome: { ...end.outcome, status } })
  return taskId
}

async function names(...argv: string[]): Promise<string[]> {
  const { stdout, stderr, code } = await box.jobmeter(['history', ...argv, '--format', 'json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return (JSON.parse(stdout) as RecordJson[]).map(({ name }) => name)
}

describe('jobmeter history', () => {
  it('filters by name, tag, user, tool and status, one or several, in any case', async () => {
    put({ name: 'train', tags: ['nightly', 'v1'], tool: 'python3' })
    put({ name: 'plot', tags: ['Nightly'], tool: 'gnuplot' }, 'bob')
    put({ name: 'a,b', tags: [], tool: 'make' }, 'eve', 'failed')
    expect(await names('--name', 'Train')).toEqual(['train'])
    expect(await names('--name', 'train,plot')).toEqual(['plot', 'train'])
    expect(await names('--name', 'train', '--name', 'plot')).toEqual(['plot', 'train'])
    expect(await names('--tag', 'nightly')).toEqual(['train'])
    expect(await names('--tag', 'Nightly,v1')).toEqual(['plot', 'train'])
    expect(await names('--user', 'BOB,eve')).toEqual(['a,b', 'plot'])
    expect(await names('--tool', 'Make')).toEqual(['a,b'])
    expect(await names('--status', 'Failed')).toEqual(['a,b'])
    expect(await names('--status', 'SUCCESS,failed', '--user', 'ada')).toEqual(['train'])
    expect(await names('--name', 'a,b')).toEqual(['a,b'])
    expect(await box.jobmeter(['history', '--status', 'failed,sucess'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean success?') as string,
    })
  })

  it('leaves the attempts of workflows to --all, and says so', async () => {
    put({ name: 'alone' })
    const workflow = new WorkflowInLedger(ledger, someWorkflow(['a', 'b']))
    workflow.end(workflow.begin('a', 1, 1))
    workflow.end(workflow.begin('b', 1, 1))
    const { stdout } = await box.jobmeter(['history'])
    expect(stdout).toContain('showing 1 job)')
    expect(stdout).toContain('\n   Name: alone\n')
    expect(stdout).toMatch(/\n\n2 attempts of workflow jobs not shown: --all shows them too\.\n$/)
    expect((await box.jobmeter(['history', '--name', 'a'])).stdout).toBe(
      'No recorded job matches.\n\n1 attempt of workflow jobs not shown: --all shows them too.\n',
    )
    expect((await names('--all')).toSorted()).toEqual(['a', 'alone', 'b'])
    const json = await box.jobmeter(['history', '--format', 'json'])
    expect(JSON.parse(json.stdout)).toHaveLength(1)
    expect(json.stderr).toBe(
      'jobmeter: 2 attempts of workflow jobs not shown: --all shows them too.\n',
    )
  })

  it('shows local time, or UTC, and JSON with a Z', async () => {
    put({ name: 'x' })
    put({ name: 'x' })
    put({ name: 'x' })
    made = 0
    const started = async (zone: string, ...argv: string[]) => {
      const { stdout } = await box.jobmeter(['history', ...argv], { env: { TZ: zone } })
      return [...stdout.matchAll(/Started: (.*)/g)].map(([, time]) => time?.replace('.000000', ''))
    }
    const utc = (await started('UTC', '--utc')).toReversed()
    expect(utc[0]).toMatch(/^2025-11-02T\d\d:\d\d:00Z$/)
    for (const zone of ['America/New_York', 'Asia/Kolkata', 'America/St_Johns', 'UTC']) {
      expect((await started(zone, '--utc')).toReversed()).toEqual(utc)
      const local = (await started(zone)).toReversed()
      expect(local.map((time) => Date.parse(time ?? ''))).toEqual(
        utc.map((time) => Date.parse(time ?? '')),
      )
    }
    expect((await started('Asia/Kolkata'))[0]).toMatch(/\+05:30$/)
    const json = await box.jobmeter(['history', '--format', 'json'], {
      env: { TZ: 'Asia/Kolkata' },
    })
    expect((JSON.parse(json.stdout) as RecordJson[])[2]?.start_time).toMatch(/:00\.000000Z$/)
  })
})

describe('jobmeter show', () => {
  it('shows several one after another, by id, short id, name or number', async () => {
    const first = put({ name: 'train' })
    const second = put({ name: 'plot' })
    const third = put({ name: 'train' })
    const text = await box.jobmeter(['show', first.slice(0, 31).toUpperCase() + '…', 'plot'])
    expect(text.code).toBe(1)
    const shown = await box.jobmeter(['show', 'train', second])
    expect([...shown.stdout.matchAll(/Job Details: (\w+)/g)].map(([, id]) => id)).toEqual([
      third,
      second,
    ])
    const json = await box.jobmeter(['show', first.toUpperCase(), 'PLOT', '--format', 'json'])
    expect((JSON.parse(json.stdout) as RecordJson[]).map(({ task_id }) => task_id)).toEqual([
      first,
      second,
    ])
    const one = await box.jobmeter(['show', 'plot', '--format', 'json'])
    expect(JSON.parse(one.stdout)).toMatchObject({ task_id: second })
    expect(await box.jobmeter(['show', 'plot', 'nobody'])).toMatchObject({ code: 1, stdout: '' })
  })

  it('takes -n for how many to show', async () => {
    for (const name of ['one', 'two', 'three']) put({ name })
    const { stdout } = await box.jobmeter(['history', '-n', '2'])
    expect(stdout.match(/^ *Name: /gm)).toHaveLength(2)
  })

  it('takes every id that a command prints', async () => {
    const workflow = new WorkflowInLedger(ledger, someWorkflow(['a', 'b']))
    workflow.end(workflow.begin('b', 1, 1))
    put({ name: 'alone' })
    const history = await box.jobmeter(['history'])
    const [, short = ''] = /Task: (\S+)/.exec(history.stdout) ?? []
    expect((await box.jobmeter(['show', short])).stdout).toContain('Name: alone')
    const results = await box.jobmeter(['results', 'list', '1'])
    const [, jobId = ''] = /^ *(\d+) +b /m.exec(results.stdout) ?? []
    expect((await box.jobmeter(['show', jobId])).stdout).toContain('Name: b\n')
  })
})
