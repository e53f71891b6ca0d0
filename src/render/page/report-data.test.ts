import { describe, expect, it } from 'vitest'
import { atLeast, measured } from '../../model/measured.ts'
import type { OutcomeStatus } from '../../model/outcome.ts'
import type { JobRecord } from '../../model/record.ts'
import { emptyUsage } from '../../model/usage.ts'
import { noRequirements } from '../../model/job.ts'
import { reportData } from './report-data.ts'
import type { ReportSourceJob } from '../../analysis/workflow/gathered-report.ts'
import type { ReportSource } from './report-source.ts'

const gigabyte = 2 ** 30

function record(status: OutcomeStatus, startedAt: number, seconds: number): JobRecord {
  return {
    name: 'train',
    tool: 'python3',
    script: null,
    params: {},
    tags: [],
    command: ['python3'],
    workingDirectory: '/',
    requirements: { cpus: 8, memoryBytes: 8 * gigabyte, gpus: null, runtimeSeconds: 7200 },
    taskId: 'a'.repeat(32),
    jobId: 1,
    attempt: 1,
    user: 'ada',
    machine: { host: 'node01', cores: 8, memoryBytes: null },
    owner: { host: 'node01', bootId: '', pid: 1, startTicks: 1 },
    startedAt,
    endedAt: startedAt + seconds,
    durationSeconds: seconds,
    status,
    exitCode: status === 'success' ? 0 : 137,
    signal: null,
    reason: null,
    stragglers: [],
    usage: {
      ...emptyUsage('not looked at'),
      memoryPeakBytes: measured(10.5 * gigabyte, 'PSS'),
      cpuPercentPeak: measured(720.3, 'cgroup'),
      cpuTotalSeconds: measured(seconds, 'cgroup'),
    },
    samples: { collected: 0, intervalSeconds: null, late: 0, ownCpuSeconds: null },
  }
}

function job(jobId: number, name: string, ...records: readonly JobRecord[]): ReportSourceJob {
  return {
    jobId,
    name,
    state: records.at(-1)?.status ?? 'waiting',
    requirementsName: null,
    requirements: { cpus: 8, memoryBytes: 8 * gigabyte, gpus: null, runtimeSeconds: 7200 },
    dependsOn: [],
    attempts: records.map((one, index) => ({
      runId: 1,
      attempt: index + 1,
      record: one,
      curves: null,
      marks: null,
    })),
  }
}

const source = (...jobs: readonly ReportSourceJob[]): ReportSource => ({
  kind: 'workflow',
  title: 'a workflow',
  facts: [['Host', 'node01']],
  zone: 'utc',
  generatedAt: 100_000,
  version: '1.2.3',
  runs: [{ runId: 1, startedAt: 1000, endedAt: 20_000 }],
  jobs,
  recommendations: [],
})

describe('reportData', () => {
  it('says of requests what the other reports say', () => {
    const data = reportData(source(job(15, 'train_model', record('success', 1000, 9900))))
    expect(data.violations).toEqual([
      {
        jobId: 15,
        name: 'train_model',
        resource: 'Runtime',
        specified: '2h 0m 0s',
        used: '2h 45m 0s',
        over: '+37.5%',
        overPercent: 37.5,
      },
      expect.objectContaining({
        resource: 'Memory',
        specified: '8.00 GB',
        used: '10.50 GB',
        over: '+31.3%',
      }),
    ])
    expect(data.jobs[0]?.use.cpu).toMatchObject({ text: '720.3%', share: 90.04, mean: null })
  })

  it('sets CPU time against requests only where it was measured', () => {
    const known = record('success', 1000, 3600)
    const unwatched = { ...known, usage: emptyUsage('not watched') }
    const cpuTile = (...jobs: readonly ReportSourceJob[]) =>
      reportData(source(...jobs)).tiles.find(({ label }) => label === 'CPU time')
    expect(cpuTile(job(1, 'a', known))).toMatchObject({
      figure: '1h 0m 0s',
      note: '13 % of the requested core time',
    })
    expect(cpuTile(job(1, 'a', known), job(2, 'b', unwatched))).toMatchObject({
      note: '13 % of the requested core time, where it was measured',
    })
    expect(cpuTile(job(1, 'a', unwatched))).toMatchObject({
      figure: 'not measured',
      note: '8.00 core-hours were requested',
    })
  })

  describe('of jobs whose end nobody saw', () => {
    const unseen: JobRecord = {
      ...record('interrupted', 1000, 60),
      endedAt: null,
      durationSeconds: null,
      exitCode: null,
      usage: emptyUsage('the runner was killed'),
    }
    const tilesOf = (...jobs: readonly ReportSourceJob[]) =>
      Object.fromEntries(
        reportData({
          ...source(...jobs),
          runs: [{ runId: 1, startedAt: 1000, endedAt: null }],
        }).tiles.map((tile) => [tile.label, tile] as const),
      )

    it('says that the requested cores were held for an unknown time', () => {
      expect(tilesOf(job(1, 'a', unseen))['CPU time']).toMatchObject({
        figure: 'not measured',
        note: 'for how long the requested cores were held is not known',
      })
      const none = { ...job(1, 'a', unseen), requirements: noRequirements }
      expect(tilesOf(none)['CPU time']?.note).toBe('no cores were requested')
    })

    it('names no job as the largest where no memory was measured', () => {
      expect(tilesOf(job(1, 'a', unseen), job(2, 'b', unseen))['Largest job']).toMatchObject({
        figure: 'not measured',
        note: 'no job has a memory peak',
      })
    })

    it('does not take the time at which the page was made for an end', () => {
      const note = 'until what was last seen of a job whose end was not'
      expect(tilesOf(job(1, 'a', unseen))['Wall time']).toMatchObject({
        figure: 'not measured',
        note: 'nothing is known of any job after its start',
      })
      const seen = { ...unseen, endedAt: 1003, durationSeconds: 3 }
      expect(tilesOf(job(1, 'a', seen), job(2, 'b', unseen))['Wall time']).toMatchObject({
        figure: 'at least 3.00 s',
        note,
      })
    })
  })

  describe('what is over its request', () => {
    const modest = { ...noRequirements, memoryBytes: 16 * gigabyte }
    const overTile = (...jobs: readonly ReportSourceJob[]) =>
      reportData(source(...jobs)).tiles.find(({ label }) => label === 'Over request')
    const asking = (
      requirements: ReportSourceJob['requirements'],
      ...all: readonly JobRecord[]
    ) => ({
      ...job(1, 'a', ...all),
      requirements,
    })

    it('is nothing to be glad of where nothing was requested', () => {
      const free = asking(noRequirements, record('success', 1000, 60))
      expect(overTile(free)).toMatchObject({
        figure: 'no request',
        note: 'the job did not ask for any resources',
        mood: 'plain',
      })
      expect(overTile(free, free)).toMatchObject({
        figure: 'no request',
        note: 'no job asked for any resources',
      })
    })

    it('is counted over the jobs that asked for something', () => {
      const good = asking(modest, record('success', 1000, 60))
      const free = asking(noRequirements, record('success', 1000, 60))
      expect(overTile(good)).toMatchObject({
        figure: '0',
        note: 'nothing used more than it asked for',
        mood: 'good',
      })
      expect(overTile(good, free)).toMatchObject({
        figure: '0',
        note: 'nothing used more than it asked for; 1 job asked for nothing',
        mood: 'good',
      })
      expect(overTile(job(1, 'a', record('success', 1000, 9900)))).toMatchObject({
        figure: '2',
        note: 'requests were exceeded',
        mood: 'bad',
      })
    })

    it('may be more than was seen where a figure is a lower bound', () => {
      const ended = record('success', 1000, 60)
      const memoryPeakBytes = atLeast(10.5 * gigabyte, 'looks')
      const bounded = { ...ended, usage: { ...ended.usage, memoryPeakBytes } }
      expect(overTile(asking(modest, bounded))).toMatchObject({
        figure: '0',
        note: 'nothing used more than it asked for, as far as it was seen',
        mood: 'plain',
      })
      const small = { ...modest, memoryBytes: gigabyte }
      expect(overTile(asking(small, bounded))).toMatchObject({
        figure: '1',
        note: 'request was exceeded',
        mood: 'bad',
      })
      const unwatched = { ...ended, usage: emptyUsage('not watched') }
      const unknown = [asking(modest, bounded), asking(modest, unwatched)]
      expect(overTile(asking(small, ended), ...unknown)).toMatchObject({
        figure: '1',
        note: 'request was exceeded; whether 2 others were is not known',
        mood: 'bad',
      })
      expect(overTile(asking(small, ended), ...unknown.slice(1))).toMatchObject({
        note: 'request was exceeded; whether 1 other was is not known',
      })
    })

    it('is not known where nothing was measured or has ended', () => {
      const ended = record('success', 1000, 60)
      const unwatched = asking(modest, { ...ended, usage: emptyUsage('not watched') })
      expect(overTile(unwatched)).toMatchObject({
        figure: 'not measured',
        note: 'how much it used of what it requested was not measured',
        mood: 'plain',
      })
      expect(overTile(asking(modest, ended), unwatched)).toMatchObject({
        figure: '0',
        note: 'nothing used more than it asked for, where it was measured',
        mood: 'plain',
      })
      expect(overTile(asking(modest))).toMatchObject({
        figure: '–',
        note: 'the job has not ended yet',
        mood: 'plain',
      })
      expect(overTile(asking(modest), asking(modest))).toMatchObject({
        note: 'no job with a request has ended yet',
      })
    })
  })

  it('names a group after the requirement of its jobs, though there is but one', () => {
    const lazy = { ...job(1, 'lazy', record('success', 1000, 10)), requirementsName: 'big' }
    const data = reportData(source(lazy, job(2, 'load_7', record('success', 1000, 10))))
    expect(data.groups.map(({ group }) => group)).toEqual(['big', 'load_7'])
    expect(data.jobs[0]?.group).toBe('big')
  })

  it('groups jobs that differ in numbers only', () => {
    const jobs = [1, 2, 3].map((index) => job(index, `part_${index}`, record('success', 1000, 60)))
    const data = reportData(source(...jobs, job(4, 'end', record('success', 2000, 60))))
    expect(data.groups.map(({ group, jobs: members }) => [group, members])).toEqual([
      ['part_#', 3],
      ['end', 1],
    ])
    expect(data.groups[0]?.raw.memory?.median).toBe(10.5 * gigabyte)
  })

  it('counts the last attempt, and draws them all', () => {
    const retried = job(1, 'a', record('failed', 1000, 50), record('success', 1060, 100))
    const data = reportData(source(retried, job(2, 'b')))
    expect(data.jobs[0]?.bars).toEqual([
      [0, 50, 'failed'],
      [60, 160, 'success'],
    ])
    expect(data.states).toEqual({ success: 1, waiting: 1 })
    expect(data.failures).toEqual([])
    expect(data.jobs[1]).toMatchObject({ bars: [], readyAt: null })
    expect(data.jobs[1]?.use.memory).toMatchObject({ used: null, text: '–', share: null })
  })

  it('calls it no failure where nobody could see how it ended', () => {
    const watched = { ...record('failed', 1000, 50), status: 'unknown', exitCode: null } as const
    const data = reportData(source(job(1, 'a', watched)))
    expect(data.failures).toEqual([])
  })

  it('tells where figures are from, and why others are missing', () => {
    const { measured: how } = reportData(source(job(1, 'a', record('success', 1000, 50))))
    expect(how.find(({ label }) => label === 'peak (1 s or whole job)')?.ways).toEqual([
      { text: 'cgroup', isMeasured: true, count: 1 },
    ])
    expect(how.find(({ label }) => label === 'read calls')?.ways).toEqual([
      { text: 'not looked at', isMeasured: false, count: 1 },
    ])
  })

  it('gives a failed job its probable cause', () => {
    const data = reportData(source(job(1, 'a', record('failed', 1000, 50))))
    expect(data.failures[0]).toMatchObject({ name: 'a', status: 'failed' })
    expect(data.tiles[0]).toMatchObject({ figure: '0 of 1', mood: 'bad' })
  })
})
