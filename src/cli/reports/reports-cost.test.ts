import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox } from '../../../test/program.ts'

const prices = 'currency: EUR\ncore_hour: 3600\nmemory_gb_hour: 1\nkwh: 1\n'

describe('jobmeter reports cost', () => {
  it('prices a job by request and by use, and names what it could not price', async () => {
    using box = sandbox()
    writeFileSync(box.path('prices.yaml'), prices)
    const { record } = await box.run(['--cpus', '2', '--', 'sleep', '0.3'])
    const file = ['--prices', box.path('prices.yaml')]
    const json = await box.jobmeter(['reports', 'cost', 'last', ...file, '--format', 'json'])
    expect(json.code, json.stderr).toBe(0)
    const report = JSON.parse(json.stdout) as {
      jobs: { parts: { side: string; thing: string; cost: number | null }[] }[]
    }
    const cost = (side: string, thing: string) =>
      report.jobs[0]?.parts.find((part) => part.side === side && part.thing === thing)?.cost
    expect(cost('requested', 'cpu')).toBeCloseTo(2 * (record.duration_seconds ?? 0), 3)
    expect(cost('used', 'cpu')).toBeCloseTo(record.resource_usage.cpu_total_seconds ?? 0, 3)
    const table = await box.jobmeter(['reports', 'cost', 'last', ...file])
    expect(table.stdout).toContain('Not priced: requested memory (it did not ask for memory).')
    expect(table.stdout).toContain(
      'Not priced: used energy (no energy counter was read; --metrics energy says why).',
    )
  })

  it('counts every attempt of a workflow', async () => {
    using box = sandbox()
    writeFileSync(box.path('w.yaml'), 'name: w\njobs:\n  - { name: a, command: "exit 1" }\n')
    const env = { JOBMETER_PRICES: box.path('prices.yaml') }
    writeFileSync(box.path('prices.yaml'), prices)
    await box.jobmeter(['run', '-q', 'w.yaml'])
    await box.jobmeter(['run', '-q', '--resume', '1'])
    const csv = await box.jobmeter(['reports', 'cost', '1', '--format', 'csv'], { env })
    expect(csv.stdout.trim().split('\n')).toHaveLength(3)
  })

  it('says where prices go if there are none, and what is wrong with those there are', async () => {
    using box = sandbox()
    await box.run(['--', 'true'])
    const none = await box.jobmeter(['reports', 'cost', 'last'])
    expect(none).toMatchObject({ code: 1, stdout: '' })
    expect(none.stderr).toMatch(/there are no prices\. Write them to .*\/jobmeter\/prices\.yaml/)
    writeFileSync(box.path('wrong.yaml'), 'currency: EUR\ncore_hours: 1\n')
    const wrong = await box.jobmeter([
      'reports',
      'cost',
      'last',
      '--prices',
      box.path('wrong.yaml'),
    ])
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain(
      'wrong.yaml:2:1 core_hours: unknown key. Did you mean "core_hour"?',
    )
  })

  it('is not promised by doctor where the price file is broken or missing', async () => {
    using box = sandbox()
    const told = async (path: string) => {
      const env = { JOBMETER_PRICES: box.path(path) }
      const { stdout } = await box.jobmeter(['doctor', '--format', 'json'], { env })
      const { rungs } = JSON.parse(stdout) as { rungs: { name: string }[] }
      return rungs.find(({ name }) => name === 'prices')
    }
    writeFileSync(box.path('prices.yaml'), prices)
    expect(await told('prices.yaml')).toMatchObject({ state: 'yes' })
    writeFileSync(box.path('wrong.yaml'), 'currency: EUR\ncore_hours: 1\n')
    expect(await told('wrong.yaml')).toMatchObject({
      state: 'no',
      finding: expect.stringContaining('wrong.yaml:2:1 core_hours: unknown key'),
    })
    expect(await told('missing.yaml')).toMatchObject({
      state: 'no',
      finding: expect.stringContaining('does not exist'),
    })
  })

  it('does not wait for a price file that is a pipe, and passes the exit code on', async () => {
    using box = sandbox()
    const pipe = box.path('pipe')
    await box.shell(`mkfifo ${pipe}`)
    const env = { JOBMETER_PRICES: pipe }
    const run = await box.jobmeter(['run', '--', 'sh', '-c', 'exit 7'], { env, timeoutMs: 20_000 })
    expect(run.code).toBe(7)
    const asked = await box.jobmeter(['reports', 'cost', 'last'], { env, timeoutMs: 20_000 })
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('not a regular file') })
  })

  it('is told at the end of a run and by show where there are prices, and only there', async () => {
    using box = sandbox()
    writeFileSync(box.path('prices.yaml'), prices)
    const env = { JOBMETER_PRICES: box.path('prices.yaml') }
    const run = await box.jobmeter(['run', '--', 'true'], { env })
    expect(run.stderr).toMatch(/^Cost +.* EUR for what it used$/m)
    expect((await box.jobmeter(['show', 'last'], { env })).stdout).toContain('Used (EUR)')
    expect((await box.jobmeter(['run', '--', 'true'])).stderr).not.toContain('Cost')
    expect((await box.jobmeter(['show', 'last'])).stdout).not.toContain('EUR')
  })
})
