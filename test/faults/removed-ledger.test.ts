import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { flow, results } from '../workflow/flow.ts'

const chain = (how: string) => `jobs:
  - { name: a, command: "true" }
  - { name: b, command: "${how}", depends_on: [a] }
  - { name: c, command: "echo said by c", depends_on: [b] }
`
const remove = {
  'with its directory': 'rm -r kept',
  'with its companions': 'rm kept/ledger.db kept/ledger.db-*',
}

describe('a ledger that is removed', () => {
  it.each(Object.entries(remove))(
    '%s while a workflow runs is written anew with all that it held',
    async (_, how) => {
      using box = sandbox()
      mkdirSync(box.path('kept'))
      const env = { JOBMETER_DB: box.path('kept/ledger.db') }
      await box.jobmeter(['run', '-q', '--name', 'before', '--', 'true'], { env })
      const { code, stderr } = await box.jobmeter(['run', flow(box, chain(how))], { env })
      expect(code, stderr).toBe(0)
      expect(stderr).toContain(`${env.JOBMETER_DB} was removed while`)
      expect(stderr).toContain(`everything that it held is in ${env.JOBMETER_DB}\n`)
      expect(statSync(env.JOBMETER_DB).mode & 0o777).toBe(0o600)
      const states = (await results(box, '--db', env.JOBMETER_DB)).map(({ job_name, status }) => [
        job_name,
        status,
      ])
      expect(states).toEqual(['a', 'b', 'c'].map((name) => [name, 'success']))
      const { stdout } = await box.jobmeter(['history', '--format', 'json'], { env })
      expect(stdout).toContain('"before"')
    },
  )

  it('while another takes its name leaves both', async () => {
    using box = sandbox()
    const spec = flow(box, chain('rm ledger.db ledger.db-*; touch ledger.db'))
    const { code, stderr } = await box.jobmeter(['run', spec])
    expect(code, stderr).toBe(0)
    const kept = /everything that it held is in (\S+)/.exec(stderr)?.[1] ?? ''
    expect(kept).toMatch(/ledger\.db\.rescued-\w+$/)
    expect(readdirSync(box.directory)).toContain('ledger.db')
    expect((await results(box, '--db', kept)).length).toBe(3)
  })

  it.each(Object.entries(remove))('%s while a job runs gets its record', async (_, how) => {
    using box = sandbox()
    mkdirSync(box.path('kept'))
    const env = { JOBMETER_DB: box.path('kept/ledger.db') }
    const words = ['run', '-q', '--name', 'x', '--output-dir', 'out', '--interval', '0.05']
    const { code, stderr } = await box.jobmeter([...words, '--', 'sh', '-c', `sleep 1; ${how}`], {
      env,
    })
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('was removed while')
    const series = await box.jobmeter(['series', 'last', '--format', 'json'], { env })
    const { samples } = JSON.parse(series.stdout) as { samples: { elapsed_seconds: number }[] }
    expect(samples.length).toBeGreaterThan(2)
    // From before it was removed.
    expect(samples[0]?.elapsed_seconds).toBeLessThan(1)
    const { stdout } = await box.jobmeter(['history', '--format', 'json'], { env })
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'x', status: 'success' }])
  })
})
