import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandbox, type Sandbox } from '../program.ts'
import { repository } from '../workloads/compile.ts'
import { makeNode } from './made-node.ts'

/** Two weeks of two hosts, asked by the real program. Clocks go forward in the first of them. */
describe('questions to the past of nodes', () => {
  let box: Sandbox
  beforeAll(() => {
    box = sandbox()
    makeNode(box.path('node.db'))
  })
  afterAll(() => box[Symbol.dispose]())
  const ask = async (...args: string[]): Promise<string> => {
    const env = { JOBMETER_NODE_DB: box.path('node.db'), TZ: 'Europe/Oslo' }
    const ended = await box.jobmeter(args, { env })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    return ended.stdout
  }
  const weeks = ['--from', '2026-03-23', '--to', '2026-04-05']

  it.each([
    ['usage-by-user', ['usage', ...weeks]],
    ['usage-tuesday-mornings', ['usage', '--on', 'tuesday', '--between', '8-12', ...weeks]],
    ['usage-by-day', ['usage', '--by', 'day,host', '--metric', 'gpu', ...weeks]],
    ['usage-heat-map', ['usage', '--heat-map', '--by', 'user', '--limit', '2', ...weeks]],
    ['usage-heat-map-io', ['usage', '--heat-map', '--metric', 'io', '--host', 'node01', ...weeks]],
    ['usage-heat-map-week', ['usage', '--heat-map', '--from', '2026-03-25', '--to', '2026-03-26']],
    ['ps', ['ps', '--sort', 'cpu', '--limit', '12', ...weeks]],
    ['uptime', ['uptime', ...weeks]],
    ['job-details', ['job-details', 'slurm:4704']],
    ['reports-job', ['reports', 'job', 'slurm:4803@node01']],
    ['reports-scaling', ['reports', 'scaling', 'command:solver']],
  ])('%s', async (name, args) => {
    await expect(await ask(...args)).toMatchFileSnapshot(`../golden/node/${name}.txt`)
  })

  it.each([
    [['ps', '--user', 'adda'], 'No user "adda" was ever seen. Did you mean ada?\n'],
    [
      ['ps', '--command', 'solvr'],
      'No command with "solvr" in it was ever seen. Did you mean solver?\n',
    ],
    [
      ['usage', '--command', 'solvr'],
      'No command with "solvr" in it was ever seen. Did you mean solver?\n',
    ],
    [['usage', '--command', 'SOLV', ...weeks, '--on', 'sunday'], /^Nothing that was seen/],
    [['nodes', '--host', 'vm2'], 'No node "vm2" was ever seen. These were: gpu01, node01.\n'],
    [['nodes', '--host', 'vm2,gpu01'], /^No node "vm2" was ever seen.*\n\ngpu01 \(/],
    [['ps', '--user', 'ada,zed'], 'No user "zed" was ever seen.\n'],
    [['ps', ...weeks, '--user', 'bob', '--kind', 'slurm'], /^Nothing that was seen/],
    [['ps', '--from', '2026-05-01', '--to', '2026-05-02'], /^Nobody has looked since 2026-04-06/],
    [
      ['usage', '--from', '2025-01', '--to', '2025-02'],
      /what is kept begins at 2026-03-23 01:00:00/,
    ],
    [
      ['ps', '--host', 'node01', '--from', '2026-03-25 03:30', '--to', '2026-03-25 05:00'],
      /there is a gap of 3h 0m 0s from 2026-03-25 03:00:00 \+01:00 to 2026-03-25 06:00:00/,
    ],
  ])('says why %j has no answer', async (args, words) => {
    expect(await ask(...args)).toMatch(words)
  })

  it.each(['usage-tuesday-mornings', 'usage-heat-map'])('is in the guide: %s', (name) => {
    const read = (path: string): string => readFileSync(join(repository, path), 'utf8')
    const [shown = ''] = read(`test/golden/node/${name}.txt`).split(/\n+\d more used less/)
    expect(read('docs/usage.md')).toContain(`\`\`\`\n${shown.trim()}\n\`\`\`\n`)
  })

  it('says how to start the agent where there never was one, and what a time looks like', async () => {
    const none = await box.jobmeter(['ps', '--db', box.path('none.db')])
    expect(none.stderr).toMatch(
      /no node database here that you may read; `jobmeter agent` makes one/,
    )
    const env = { JOBMETER_NODE_DB: box.path('node.db') }
    const wrong = await box.jobmeter(['usage', '--from', 'blursday'], { env })
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.stderr).toMatch(/"blursday" is not a time\. These are, .*"last monday"/)
    const days = await box.jobmeter(['usage', '--on', 'blursday'], { env })
    expect(days.stderr).toMatch(/--on "blursday" is not understood.*tuesday/)
  })

  it('has days of 23 hours, in local time and in UTC', async () => {
    const day = ['--from', '2026-03-29', '--to', '2026-03-29', '--format', 'json', '--by', 'day']
    const capacity = async (...more: string[]): Promise<number> =>
      (JSON.parse(await ask('usage', ...day, ...more)) as { capacity: number }).capacity
    expect(await capacity()).toBe(23 * 3600 * 48)
    expect(await capacity('--utc')).toBe(24 * 3600 * 48)
  })

  it.each([
    ['policies', 'test', 'cpuhog', '--format', 'json', '--rows', 'raw', '--host', 'gpu01'],
    ['nodes', '--format', 'json', '--host', 'gpu01'],
    ['hogs', '--format', 'json'],
    ['export', 'node-rounds', '--host', 'gpu01'],
    ['policies', 'judge', '--format', 'json', '--host', 'gpu01'],
    ['usage', '--by', 'day', '--format', 'json'],
    ['ps', '--format', 'json'],
    ['uptime', '--format', 'json'],
  ])('takes --from and --to in UTC with --utc: %s %s', async (...args) => {
    const env = { JOBMETER_NODE_DB: box.path('node.db'), TZ: 'America/New_York' }
    const told = async (...more: string[]): Promise<string> => {
      const ended = await box.jobmeter([...args, ...more], { env })
      expect(ended).toMatchObject({ code: 0, stderr: '' })
      return ended.stdout
    }
    const plain = await told('--from', '2026-03-26 08:00', '--to', '2026-03-26 10:00', '--utc')
    const written = await told('--from', '2026-03-26T08:00Z', '--to', '2026-03-26T10:00Z', '--utc')
    expect(plain).toBe(written)
    const wrong = await box.jobmeter([...args, '--from', '2026-03-26', '--to', '2026-03-25'], {
      env,
    })
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--to must be after') })
  })

  it('finds commands by any part of them, in ps and in usage', async () => {
    const part = await ask('usage', '--by', 'command', '--command', 'SOLV', ...weeks)
    expect(part).toContain('solver')
    expect(part).toBe(await ask('usage', '--by', 'command', '--command', 'solver', ...weeks))
    expect(await ask('ps', '--command', 'SOLV', ...weeks)).toContain('slurm:4803')
  })

  it('tells programs the same of jobs as people', async () => {
    const json = JSON.parse(await ask('ps', ...weeks, '--format', 'json')) as { job: string }[]
    const lines = (await ask('ps', ...weeks, '--format', 'csv')).trim().split('\n')
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(json.map(({ job }) => job))
    const details = JSON.parse(await ask('job-details', 'slurm:4803', '--format', 'json')) as {
      node_job: object
      next_request: object[]
      series: { rounds: { cpu_seconds: number }[] }
    }
    expect(details.node_job).toEqual(json.find(({ job }) => job === 'slurm:4803'))
    expect(details.next_request).toHaveLength(3)
    expect(details.series.rounds).toHaveLength(17)
  })
})
