import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox, type Sandbox } from '../program.ts'
import { flow } from './flow.ts'

const spec = `resource_monitor: { granularity: time_series, sample_interval_seconds: 0.05 }
jobs:
  - { name: work, command: 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; sleep 0.8' }
`

interface RecordJson {
  readonly task_id: string
  readonly name: string
  readonly samples: { readonly collected: number }
}

async function recorded(box: Sandbox, db: string): Promise<RecordJson> {
  const { stdout, stderr } = await box.jobmeter(['show', 'last', '--format', 'json', '--db', db])
  expect(stderr).toBe('')
  return JSON.parse(stdout) as RecordJson
}

/** The timestamps of a job's samples, as `jobmeter series` tells them. */
async function timesOf(box: Sandbox, db: string, taskId: string): Promise<number[]> {
  const { stdout, stderr } = await box.jobmeter(['series', taskId, '--format', 'json', '--db', db])
  expect(stderr).toBe('')
  const { samples } = JSON.parse(stdout) as { samples: readonly { elapsed_seconds: number }[] }
  return samples.map((sample) => sample.elapsed_seconds)
}

describe("the samples of a workflow's job", () => {
  it('are found by series, report and reports job, in the file of their run', async () => {
    using box = sandbox()
    const db = box.path('ledger.db')
    await box.jobmeter(['run', flow(box, spec), '--quiet', '--db', db])
    const { task_id: id, samples } = await recorded(box, db)
    const times = await timesOf(box, db, id)
    expect(times.length).toBeGreaterThan(5)
    expect(times).toHaveLength(samples.collected)
    const csv = await box.jobmeter(['series', id, '--db', db])
    const [header = '', ...rows] = csv.stdout.trim().split('\n')
    expect(rows).toHaveLength(times.length)
    // Every column that was sampled, not only those that plots know.
    const threads = header.split(',').indexOf('num_threads')
    expect(rows.map((row) => Number(row.split(',')[threads]))).toContain(1)
    const report = await box.jobmeter(['report', id, '-o', 'page.html', '--db', db])
    expect(report.code, report.stderr).toBe(0)
    expect(readFileSync(box.path('page.html'), 'utf8')).toMatch(
      /"shape":\{"seconds":[\d.]+,"cpuPercent":\[/,
    )
    const told = await box.jobmeter(['reports', 'job', id, '--db', db, '--format', 'json'])
    expect(JSON.parse(told.stdout)).toMatchObject({ samples: times.length, no_series: null })
  })

  it.each(['moved', 'removed'])('are missed with advice where their folder was %s', async (how) => {
    using box = sandbox()
    const db = box.path('ledger.db')
    await box.jobmeter(['run', flow(box, spec), '--quiet', '--db', db])
    const { task_id: id } = await recorded(box, db)
    if (how === 'moved') renameSync(box.path('output'), box.path('archive'))
    else rmSync(box.path('output'), { recursive: true })
    for (const command of [
      ['series', id],
      ['report', id, '-o', 'page.html'],
    ]) {
      const { code, stderr } = await box.jobmeter([...command, '--db', db])
      expect(code).toBe(0)
      expect(stderr).toContain(`${box.path('output')}, which holds its samples, does not exist`)
      expect(stderr).toContain('--output-dir')
    }
    if (how === 'removed') return
    const found = await box.jobmeter(['series', id, '--db', db, '--output-dir', 'archive'])
    expect(found.stderr).toBe('')
    expect(found.stdout.trim().split('\n').length).toBeGreaterThan(5)
  })

  it('were never kept where the workflow did not ask for them, and that is said', async () => {
    using box = sandbox()
    const db = box.path('ledger.db')
    const quiet = flow(box, 'jobs:\n  - { name: work, command: sleep 0.1 }\n')
    await box.jobmeter(['run', quiet, '--quiet', '--db', db])
    const { stderr } = await box.jobmeter(['series', 'last', '--db', db])
    expect(stderr).toContain('granularity: time_series')
  })
})

describe('two ledgers that share an output directory', () => {
  /** Each ledger has a directory of its own, beside the first one's. */
  const files = (box: Sandbox) =>
    readdirSync(box.path('.'))
      .filter((name) => /^output(\.\d+)?$/.test(name))
      .flatMap((name) => readdirSync(box.path(`${name}/resource_utilization`)))
      .filter((name) => name.endsWith('.db'))

  async function expectOwn(box: Sandbox, ledgers: readonly string[]): Promise<void> {
    expect(files(box)).toHaveLength(ledgers.length)
    for (const db of ledgers) {
      const { task_id: id, samples } = await recorded(box, db)
      const times = await timesOf(box, db, id)
      expect(times.length).toBeGreaterThan(5)
      expect(times).toHaveLength(samples.collected)
      // A mixed file would begin anew.
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    }
  }

  it('have series of their own, one after the other', async () => {
    using box = sandbox()
    const ledgers = ['a.db', 'b.db'].map((name) => box.path(name))
    const path = flow(box, spec)
    for (const db of ledgers) {
      const { code } = await box.jobmeter(['run', path, '--quiet', '--db', db])
      expect(code).toBe(0)
    }
    await expectOwn(box, ledgers)
  })

  it('have series of their own, at the same time', async () => {
    using box = sandbox()
    const ledgers = ['a.db', 'b.db', 'c.db', 'd.db'].map((name) => box.path(name))
    const path = flow(box, spec)
    const ended = await Promise.all(
      ledgers.map((db) => box.jobmeter(['run', path, '--quiet', '--db', db])),
    )
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ledgers.map(() => [0, '']))
    await expectOwn(box, ledgers)
  })

  it('have series of their own, of single commands and of workflows alike', async () => {
    using box = sandbox()
    const [first, second] = [box.path('a.db'), box.path('b.db')]
    const command = [
      '--quiet',
      '--interval',
      '0.05',
      '--output-dir',
      'output',
      '--',
      'sleep',
      '0.3',
    ]
    // Job 1 of one ledger and workflow 1 of the other, and of the same.
    await box.jobmeter(['run', '--db', first, ...command])
    await box.jobmeter(['run', flow(box, spec), '--quiet', '--db', first])
    await box.jobmeter(['run', '--db', second, ...command])
    expect(files(box)).toHaveLength(3)
    const { task_id: id, samples } = await recorded(box, first)
    expect(await timesOf(box, first, id)).toHaveLength(samples.collected)
  })
})
