import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sandbox, type Sandbox } from '../program.ts'
import { repository } from '../workloads/compile.ts'
import { openMetricsComplaints, promtoolComplaints, whyNoPromtool } from './promtool.ts'
import { isoTime, madeSamples, sampleJson } from './made-samples.ts'

const fixtures = join(repository, 'test/fixtures')
const env = { TZ: 'Europe/Oslo' }
const noPromtool = whyNoPromtool()

/** Samples of the last hours, so that rounds are kept too, and the fixtures. */
async function filled(box: Sandbox): Promise<string> {
  const db = box.path('n.db')
  const made = {
    hosts: 1,
    users: ['ada', 'bob "the\\n" \\ builder'],
    commands: ['python3'],
    startSeconds: Math.floor(Date.now() / 3_600_000) * 3600 - 6 * 3600,
    intervalSeconds: 300,
    samples: 60,
    jobs: 3,
    seed: 9,
  }
  writeFileSync(box.path('now.json'), [...madeSamples(made, 0)].map(sampleJson).join('\n'))
  for (const words of [
    ['sonar', box.path('now.json'), join(fixtures, 'sonar')],
    ['sacct', join(fixtures, 'sacct/jobs.txt')],
  ])
    expect(await box.jobmeter(['import', ...words, '--db', db], { env })).toMatchObject({ code: 0 })
  return db
}

type Row = Readonly<Record<string, string | number | null>>

describe('jobmeter export of nodes', () => {
  it('prints the same rows as CSV, JSON and lines of JSON', async () => {
    using box = sandbox()
    const db = await filled(box)
    const printed = async (what: string, format: string): Promise<string> =>
      (await box.jobmeter(['export', what, '--format', format, '--db', db], { env })).stdout
    for (const what of ['node-jobs', 'node-usage', 'node-rounds']) {
      const lines = (await printed(what, 'jsonl')).trimEnd().split('\n')
      const rows = lines.map((line) => JSON.parse(line) as Row)
      expect(rows.length, what).toBeGreaterThan(5)
      expect(JSON.parse(await printed(what, 'json')), what).toEqual(rows)
      const csv = (await printed(what, 'csv')).trimEnd().split('\n')
      expect(csv[0]?.split(',')).toEqual(Object.keys(rows[0] ?? {}))
      expect(csv).toHaveLength(rows.length + 1)
    }
    const usage = (await printed('node-usage', 'jsonl')).trimEnd().split('\n')
    const rows = usage.map((line) => JSON.parse(line) as Row)
    const ada = rows.filter(({ user, host }) => user === 'ada' && host === 'gpu1')
    expect(ada).toMatchObject([{ account: 'physics', cpu_seconds: 310, gpu_seconds: 150 }])
    // What the format of 0.6 does not tell is not 0.
    expect(rows.find(({ host }) => host === 'ml6.example.org')).toMatchObject({ cpu_seconds: null })
    const of = ['export', 'node-usage', '--user', 'bob', '--from', '2026-03-01', '--db', db]
    const some = await box.jobmeter([...of, '--to', '2026-03-02'], { env })
    const users = some.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Row)['user'])
    expect(new Set(users)).toEqual(new Set(['bob']))
  })

  it.skipIf(noPromtool)('speaks OpenMetrics, as promtool reads it', async () => {
    using box = sandbox()
    const db = await filled(box)
    for (const what of ['node-jobs', 'node-usage', 'node-rounds']) {
      const words = ['export', what, '--format', 'openmetrics', '--db', db]
      const { stdout } = await box.jobmeter(words, { env })
      expect(stdout).toMatch(/^# HELP jobmeter_\w+ .*\n[^]*\n# EOF\n$/)
      expect(promtoolComplaints(stdout), what).toBe('')
      writeFileSync(box.path(`${what}.om`), stdout)
      expect(openMetricsComplaints(box.path(`${what}.om`), box.path(what)), what).toBe('')
    }
  })

  it('writes the job archive of ClusterCockpit', async () => {
    using box = sandbox()
    const db = await filled(box)
    const words = ['export', 'job-archive', '--cluster', 'mlx', '--output', 'archive', '--db', db]
    const done = await box.jobmeter([...words, '--to', '2026-06-01'], { env })
    expect(done.stdout).toBe('2 jobs written to archive\n')
    const at = (name: string): unknown => JSON.parse(readFileSync(box.path(name), 'utf8'))
    const started = Date.parse('2026-03-02T09:55:00+01:00') / 1e3
    const folder = `archive/mlx/4/711/${started}`
    expect(readdirSync(box.path(folder)).toSorted()).toEqual(['data.json', 'meta.json'])
    const meta = at(`${folder}/meta.json`) as Meta
    const data = at(`${folder}/data.json`) as Data
    checkMeta(meta)
    checkData(data, meta)
    expect(meta).toMatchObject({
      jobId: 4711,
      user: 'ada',
      project: 'physics',
      cluster: 'mlx',
      numNodes: 1,
      numHwthreads: 2,
      numAcc: 1,
      walltime: 3600,
      requestedMemory: 8192,
      startTime: started,
      duration: 900,
      resources: [{ hostname: 'gpu1' }],
    })
    // 310 s of CPU in 600 s, of two cores.
    expect(meta.statistics['cpu_user']?.avg).toBeCloseTo((100 * 310) / 600 / 2, 6)
    // Flops and bandwidths were not measured.
    expect(Object.keys(data).toSorted()).toEqual(['cpu_user', 'mem_used'])
    const [several] = readdirSync(box.path('archive/mlx/5/001'))
    const both = at(`archive/mlx/5/001/${several}/meta.json`) as Meta
    checkMeta(both)
    expect(both.resources).toEqual([{ hostname: 'n01' }, { hostname: 'n02' }])
    expect(isoTime(both.startTime)).toBe('2026-03-01T21:30:00Z')
  })

  it.each([
    [['node-jub'], 'Did you mean node-jobs?'],
    [['job-archive'], 'needs --output DIR'],
    [['node-rounds', '--user', 'ada'], 'they are of whole nodes'],
    [['--format', 'csv'], 'records cannot be had as csv'],
    [['job-archive', '--output', 'x', '--cluster', '../up'], '--cluster: expected'],
  ])('refuses %j', async (words, message) => {
    using box = sandbox()
    const ended = await box.jobmeter(['export', ...words])
    expect(ended).toMatchObject({ code: 2 })
    expect(ended.stderr).toContain(message)
  })
})

interface Figures {
  readonly avg: number
  readonly min: number
  readonly max: number
}

interface Unit {
  readonly base: string
  readonly prefix?: string
}

interface Meta extends Readonly<Record<string, unknown>> {
  readonly startTime: number
  readonly resources: readonly { readonly hostname: string }[]
  readonly statistics: Readonly<Record<string, Figures & { readonly unit: Unit }>>
}

type Data = Readonly<
  Record<
    string,
    {
      readonly node: {
        readonly unit: Unit
        readonly timestep: number
        readonly series: readonly {
          readonly hostname: string
          readonly statistics: Figures
          readonly data: readonly (number | null)[]
        }[]
      }
    }
  >
>

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) > 0

/** What the published schema of meta.json demands, but for metrics that were not measured. */
function checkMeta(meta: Meta): void {
  for (const name of ['user', 'project', 'cluster', 'subCluster'])
    expect(typeof meta[name], name).toBe('string')
  for (const name of ['jobId', 'numNodes', 'startTime', 'duration'])
    expect(isCount(meta[name]), name).toBe(true)
  const asked = ['numHwthreads', 'numAcc', 'walltime', 'requestedMemory']
  for (const name of asked.filter((one) => one in meta))
    expect(isCount(meta[name]), name).toBe(true)
  expect(['none', 'single_user', 'multi_user']).toContain(meta['shared'])
  expect(['completed', 'running']).toContain(meta['jobState'])
  expect(meta.resources.length).toBe(meta['numNodes'])
  for (const { unit, ...figures } of Object.values(meta.statistics)) {
    checkUnit(unit)
    checkFigures(figures)
  }
}

function checkData(data: Data, meta: Meta): void {
  for (const { node } of Object.values(data)) {
    checkUnit(node.unit)
    expect(isCount(node.timestep)).toBe(true)
    for (const { hostname, statistics, data: points } of node.series) {
      expect(meta.resources.map((one) => one.hostname)).toContain(hostname)
      checkFigures(statistics)
      expect(points.some((point) => point !== null && point >= 0)).toBe(true)
    }
  }
}

function checkUnit({ base, prefix }: Unit): void {
  expect(['B', 'F', 'B/s', 'F/s', 'CPI', 'IPC', 'Hz', 'W', '°C', '']).toContain(base)
  if (prefix !== undefined) expect(['K', 'M', 'G', 'T', 'P', 'E']).toContain(prefix)
}

function checkFigures({ avg, min, max }: Figures): void {
  expect(min).toBeGreaterThanOrEqual(0)
  expect(avg).toBeGreaterThanOrEqual(min - 1e-9)
  expect(max).toBeGreaterThanOrEqual(avg - 1e-9)
}
