import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { NodeJob } from '../../src/model/node-round.ts'
import { openNodeStore } from '../../src/store/node/open-node.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { monday, nodeJob, nodeRound } from '../synthetic/node-rounds.ts'

const golden = (name: string): string => `../golden/policies/${name}`
const during = ['--from', '2026-03-01', '--to', '2026-03-03', '--utc']

/** Four hours of a node with GPUs: first it is mostly idle, and from the second hour on it is full. */
function fill(path: string): void {
  const store = openNodeStore(path)
  const use = (cores: number, more: Partial<NodeJob> = {}): Partial<NodeJob> => ({
    cpuSeconds: 60 * cores,
    startedAt: monday,
    ...more,
  })
  const reservation = {
    cpus: 8,
    memoryBytes: 32 * 2 ** 30,
    gpus: null,
    runtimeSeconds: 86_400,
    source: 'slurm',
  } as const
  for (let minute = 1; minute <= 240; minute++) {
    const jobs = [
      nodeJob('11-100', 'ada', use(3, { command: 'make' })),
      nodeJob('12-200', 'bob', use(0.1, { gpus: 1, gpuSeconds: 0, gpuMemoryBytes: 2 ** 30 })),
      ...(minute <= 50 ? [nodeJob('10-50', 'gil', use(2, { command: 'gzip' }))] : []),
      ...(minute > 60
        ? [
            nodeJob('4711', 'eve', use(0.5, { kind: 'slurm', reservation, account: 'physics' })),
            nodeJob('13-300', 'fay', use(9, { gpus: 1, gpuSeconds: 55 })),
          ]
        : []),
    ]
    const gpus = { gpus: 2, gpuSeconds: 55, gpuMemoryTotalBytes: 80 * 2 ** 30 }
    store.addRound(nodeRound(monday + 60 * minute, jobs, gpus))
  }
  store.close()
}

function filled(): Sandbox {
  const box = sandbox()
  fill(box.path('node.db'))
  return box
}

const asked = async (box: Sandbox, ...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await box.jobmeter([...args, '--db', box.path('node.db')])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return stdout
}

describe('jobmeter hogs', () => {
  it('lists who was not fair, apart from who harmed nobody', async () => {
    using box = filled()
    expect(await asked(box, 'hogs', ...during)).toContain('Not judged at all: node01')
    await expect(await asked(box, 'policies', 'judge')).toMatchFileSnapshot(golden('judge.txt'))
    const hogs = await asked(box, 'hogs', ...during)
    await expect(hogs).toMatchFileSnapshot(golden('hogs.txt'))
    // Judging twice is the same as once.
    await asked(box, 'policies', 'judge')
    expect(await asked(box, 'hogs', ...during)).toBe(hogs)
    const all = await asked(box, 'hogs', '--all', ...during)
    await expect(all).toMatchFileSnapshot(golden('hogs-all.txt'))
    const csv = await asked(box, 'hogs', '--all', '--format', 'csv', ...during)
    expect(csv.split('\n')[0]).toBe(
      'policy,severity,state,host,user,account,job_kind,job_id,command,first_seen,last_seen,held_seconds,reported_at,resolved_at,resolved_because,found,suppressed_because',
    )
    const json = await asked(box, 'hogs', '--user', 'eve', '--format', 'json', ...during)
    expect(JSON.parse(json)).toMatchObject({
      violations: [{ policy: 'greedy', user: 'eve', account: 'physics', state: 'open' }],
    })
    // Four hours later than in New York, where nothing was found any more.
    const evening = ['hogs', '--from', '2026-03-02 03:00', '--to', '2026-03-02 05:00', '--utc']
    const env = { TZ: 'America/New_York', JOBMETER_NODE_DB: box.path('node.db') }
    expect((await box.jobmeter(evening, { env })).stdout).toContain('greedy, python3 of eve')
    // What stands under Job can be typed.
    expect(hogs).toContain(' slurm:4711 ')
    expect((await box.jobmeter(['job-details', 'slurm:4711'], { env })).code).toBe(0)
    const failing = ['hogs', '--fail', ...during, '--db', box.path('node.db')]
    expect((await box.jobmeter(failing)).code).toBe(1)
    expect((await box.jobmeter([...failing, '--user', 'nobody'])).code).toBe(0)
  })
})

describe('a policy that nobody knows', () => {
  it('is an error, and the one that was meant is named', async () => {
    using box = filled()
    const hogs = (...more: readonly string[]) =>
      box.jobmeter(['hogs', ...more, '--db', box.path('node.db')])
    expect(await hogs('--policy', 'cpuhog,vampire')).toMatchObject({ code: 0, stderr: '' })
    const wrong = await hogs('--policy', 'vampire,cpuhogg')
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toContain('there is no policy named cpuhogg. Did you mean cpuhog?')
    writeFileSync(
      box.path('mine.yaml'),
      'policies:\n  - {name: ours, says: is ours, scope: job, when: {cpu_cores: {at_least: 1}}}\n',
    )
    expect(await hogs('--policy', 'ours')).toMatchObject({ code: 2 })
    const own = await hogs('--policy', 'ours', '--policies', box.path('mine.yaml'))
    expect(own).toMatchObject({ code: 0, stderr: '' })
    // What was found by a policy that is gone can still be asked for.
    const judge = ['policies', 'judge', '--policies', box.path('mine.yaml')]
    await asked(box, ...judge)
    expect(await hogs('--policy', 'ours')).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('jobmeter policies', () => {
  it('tests a policy on the past, and says by which rows', async () => {
    using box = filled()
    const test = (name: string, ...more: readonly string[]): Promise<string> =>
      asked(box, 'policies', 'test', name, ...during, ...more)
    await expect(await test('cpuhog')).toMatchFileSnapshot(golden('test-cpuhog.txt'))
    const names = async (...more: readonly string[]): Promise<string[]> => {
      const { violations, suppressed, hosts } = JSON.parse(
        await test('cpuhog', '--format', 'json', ...more),
      ) as Record<'violations' | 'suppressed' | 'hosts', Record<string, string>[]>
      return [
        hosts[0]?.['rows'] ?? '',
        ...violations.map(({ user = '' }) => user),
        ...suppressed.map(({ user }) => `(${user})`),
      ]
    }
    expect(await names('--rows', '5m')).toEqual(['five minutes', 'ada', '(gil)'])
    expect(await names('--rows', 'hour')).toEqual(['hours', 'ada', '(gil)'])
    writeFileSync(
      box.path('mine.yaml'),
      'shipped: false\npolicies:\n  - {name: cpuhog, unless_idle: {of_rest: 0, of_node: 0}}\n',
    )
    expect(await test(box.path('mine.yaml'))).toContain('Nobody broke a policy')
    const idle = await asked(
      box,
      'policies',
      'test',
      'cpuhog',
      '--from',
      '2026-03-01',
      '--to',
      '2026-03-02T01:00:00Z',
    )
    expect(idle).toContain('Nobody broke a policy')
    expect(idle).toContain('not reported: 12.9 of 16 cores were free')
  })

  it('lists and explains', async () => {
    using box = sandbox()
    const told = async (...args: readonly string[]): Promise<string> =>
      (await box.jobmeter(['policies', ...args])).stdout
    await expect(await told('list')).toMatchFileSnapshot(golden('list.txt'))
    await expect(await told('explain', 'vampire')).toMatchFileSnapshot(golden('vampire.txt'))
    expect(JSON.parse(await told('explain', 'gpuhog', '--format', 'json'))).toMatchObject({
      name: 'gpuhog',
      for_seconds: 1800,
      unless_idle: { resource: 'gpus' },
    })
    const wrong = await box.jobmeter(['policies', 'explain', 'cpuhgo'])
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.stderr).toContain('Did you mean cpuhog?')
  })

  it('refuses a file with errors', async () => {
    using box = sandbox()
    writeFileSync(box.path('p.yaml'), 'policies:\n  - {name: cpuhog, fro: 1h}\n')
    const ended = await box.jobmeter(['policies', 'list', '--policies', box.path('p.yaml')])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('p.yaml:2:20 policies.cpuhog.fro: unknown key')
  })
})
