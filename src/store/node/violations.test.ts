import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { monday, nodeJob, nodeRound } from '../../../test/synthetic/node-rounds.ts'
import type { PolicyFinding, PolicySubject, Violation } from '../../model/violation.ts'
import { openNodeStore, type NodeStore } from './open-node.ts'
import { pastKey } from './past-rounds.ts'

let folder = ''
let store: NodeStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
  store = openNodeStore(join(folder, 'node.db'))
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true })
})

const job: PolicySubject = {
  host: 'node01',
  user: 'ada',
  account: 'physics',
  job: { epoch: 'first boot', kind: 'slurm', id: '4711', command: 'python3' },
}
const user: PolicySubject = { host: 'node01', user: 'bob', account: null, job: null }

const finding = (
  subject: PolicySubject,
  from: number,
  to: number,
  more: Partial<PolicyFinding> = {},
): PolicyFinding => ({
  policy: 'greedy',
  severity: 'warning',
  subject,
  firstSeen: monday + from,
  lastSeen: monday + to,
  heldSeconds: to - from,
  text: 'reserves much',
  suppressedBecause: null,
  ...more,
})

const keep = (findings: readonly PolicyFinding[], at: number): void =>
  store.violations.keep({ host: 'node01', at: monday + at, findings, ended: [] })
const finish = (subject: PolicySubject, at: number): void =>
  store.violations.keep({
    host: 'node01',
    at: monday + at,
    findings: [],
    ended: [{ policy: 'greedy', subject, because: 'the job is over' }],
  })
const all = () => store.reader.violations({})

describe('violations', () => {
  it('are one from the first round to the last, and over once', () => {
    keep([finding(job, 0, 60)], 60)
    keep([finding(job, 0, 120)], 120)
    expect(all()).toMatchObject([
      { subject: job, firstSeen: monday, lastSeen: monday + 120, resolvedAt: null },
    ])
    expect(store.violations.open('node01')).toHaveLength(1)
    finish(job, 180)
    finish(job, 240)
    expect(all()).toMatchObject([
      { resolvedAt: monday + 180, resolvedBecause: 'the job is over', heldSeconds: 120 },
    ])
    expect(store.violations.open('node01')).toEqual([])
  })

  it('of a job are told once, and of a user again after a day', () => {
    keep([finding(job, 0, 60), finding(user, 0, 60)], 60)
    store.violations.reported(
      all().map(({ id }) => id),
      monday + 60,
    )
    finish(job, 120)
    finish(user, 120)
    keep([finding(job, 7200, 7260), finding(user, 7200, 7260)], 7260)
    expect(store.violations.untold().begun).toEqual([])
    finish(user, 7320)
    keep([finding(job, 200_000, 200_060), finding(user, 200_000, 200_060)], 200_060)
    expect(store.violations.untold().begun).toMatchObject([{ subject: user }])
    expect(all()).toHaveLength(3)
  })

  it('are not told while they harm nobody, and are from then on when they do', () => {
    keep([finding(job, 0, 60, { suppressedBecause: '14 of 16 cores were free' })], 60)
    expect(store.violations.untold().begun).toEqual([])
    expect(store.violations.open('node01')).toEqual([])
    keep([finding(job, 300, 360)], 360)
    expect(store.violations.untold().begun).toMatchObject([
      { firstSeen: monday + 300, suppressedBecause: null },
    ])
    keep([finding(job, 0, 420, { suppressedBecause: '14 of 16 cores were free' })], 420)
    expect(all()).toMatchObject([{ suppressedBecause: null, lastSeen: monday + 360 }])
  })

  it('are reported by being there where nobody is to be told', () => {
    keep([finding(job, 0, 60)], 60)
    store.violations.reportAll(monday + 60)
    finish(job, 120)
    expect(store.violations.untold()).toEqual({ begun: [], over: [] })
    expect(all()).toMatchObject([{ reportedAt: monday + 60 }])
  })

  it('are found by policy, user, host and time', () => {
    keep([finding(job, 0, 60), finding(user, 600, 660, { policy: 'whale' })], 660)
    const names = (query: Parameters<typeof store.reader.violations>[0]): string[] =>
      store.reader.violations(query).map(({ policy }) => policy)
    expect(names({})).toEqual(['whale', 'greedy'])
    expect(names({ policies: ['whale'] })).toEqual(['whale'])
    expect(names({ users: ['ada'] })).toEqual(['greedy'])
    expect(names({ hosts: ['node02'] })).toEqual([])
    expect(names({ from: monday + 100 })).toEqual(['whale'])
    expect(names({ to: monday + 600 })).toEqual(['greedy'])
  })

  const judged = (
    found: PolicyFinding,
    resolvedAt: number | null = null,
    resolvedBecause = 'the job is over',
  ): Violation => ({
    ...found,
    id: 1,
    reportedAt: null,
    resolvedAt: resolvedAt === null ? null : monday + resolvedAt,
    resolvedBecause: resolvedAt === null ? null : resolvedBecause,
  })
  const judge = (from: number, to: number, found: readonly Violation[]): void =>
    store.violations.replace('node01', { from: monday + from, to: monday + to }, found, new Map())
  const times = () =>
    all()
      .map(({ subject, firstSeen, lastSeen }) => [
        subject.user,
        firstSeen - monday,
        lastSeen - monday,
      ])
      .toReversed()

  it('of another time stay when the past is judged again', () => {
    const early = judged(finding(user, 0, 600), 600)
    const late = judged(finding(user, 500_000, 500_600), 500_600)
    judge(0, 600_000, [late, judged(finding(job, 200_000, 200_600)), early])
    for (const run of ['first', 'second']) {
      judge(100_000, 300_000, [judged(finding(job, 210_000, 210_600))])
      expect(times(), run).toEqual([
        ['bob', 0, 600],
        ['ada', 210_000, 210_600],
        ['bob', 500_000, 500_600],
      ])
    }
    judge(0, 600_000, [])
    expect(all()).toEqual([])
  })

  it('that reach into the time that is judged again go on there', () => {
    judge(0, 2000, [judged(finding(job, 0, 2000)), judged(finding(user, 500, 1500), 1600)])
    for (const run of ['first', 'second']) {
      judge(1000, 3000, [judged(finding(job, 990, 2500), 2600)])
      expect(times(), run).toEqual([
        ['bob', 500, 1500],
        ['ada', 0, 2500],
      ])
    }
    expect(all()).toMatchObject([
      { resolvedAt: monday + 2600, reportedAt: monday + 2000 },
      { resolvedAt: monday + 1600 },
    ])
    expect(store.violations.untold()).toEqual({ begun: [], over: [] })
  })

  it('go with the hours that they were found in', () => {
    keep([finding(job, 0, 60)], 60)
    store.keepOnly({ rawDays: 1, fiveMinuteDays: 1, hourDays: 2 }, monday + 3 * 86_400)
    expect(all()).toEqual([])
  })
})

describe('rounds of the past', () => {
  const fill = (minutes: number): void => {
    for (let minute = 1; minute <= minutes; minute++)
      store.addRound(
        nodeRound(
          monday + 60 * minute,
          [nodeJob('1', 'ada', { cpuSeconds: minute % 60, gpus: 2, gpuSeconds: 30 })],
          { gpus: 4, gpuSeconds: 30, gpuMemoryTotalBytes: 4e10 },
        ),
      )
  }
  const past = (from: number, to: number, table?: 'five minutes' | 'hours') =>
    store.reader.pastRounds({
      host: 'node01',
      from: monday + from,
      to: monday + to,
      ...(table === undefined ? {} : { table }),
    })

  it('are what was put in, and roll-ups have the same sums and peaks', () => {
    fill(120)
    const single = past(0, 8000)
    expect(single).toMatchObject({ table: 'single rounds' })
    expect(single?.rounds[6]).toMatchObject({
      at: monday + 420,
      seconds: 60,
      epoch: 'first boot',
      node: { cores: 16, gpus: 4 },
      jobs: [{ user: 'ada', cpuSeconds: 7, gpus: 2, memoryBytes: 2 ** 30 }],
    })
    const sum = (of: ReturnType<typeof past>): number =>
      of?.rounds.reduce((cpu, { jobs }) => cpu + (jobs[0]?.cpuSeconds ?? 0), 0) ?? 0
    const hours = past(0, 8000, 'hours')
    expect(hours?.rounds.map(({ at, seconds }) => [at - monday, seconds])).toEqual([
      [3600, 3600],
      [7200, 3600],
    ])
    expect(sum(hours)).toBeCloseTo(sum(single), 6)
    expect(sum(past(0, 8000, 'five minutes'))).toBeCloseTo(sum(single), 6)
    expect(hours?.rounds[0]?.peaks[0]?.cpuCores).toBeCloseTo(59 / 60, 3)
    expect(hours?.rounds[0]?.node).toMatchObject({ cores: 16, gpus: 4, load: null })
  })

  it('come from the finest rows that still cover the time', () => {
    fill(120)
    store.keepOnly({ rawDays: 1, fiveMinuteDays: 30, hourDays: 90 }, monday + 2 * 86_400)
    store.addRound(nodeRound(monday + 2 * 86_400, [nodeJob('2', 'bob')]))
    expect(past(0, 3 * 86_400)).toMatchObject({ table: 'five minutes' })
    expect(past(2 * 86_400 - 60, 3 * 86_400)).toMatchObject({ table: 'single rounds' })
  })

  it('know what a job did before', () => {
    fill(120)
    const found = past(3600, 8000)?.pasts.get(
      pastKey('first boot', { kind: 'session', id: '1', user: 'ada' }),
    )
    expect(found).toMatchObject({ firstSeen: monday, seconds: 3600, gpus: 2, gpuSeconds: 1800 })
    expect(found?.gpusPeak).toBeCloseTo(0.5, 6)
    const living = store.reader
      .livingPasts('node01')
      .get(pastKey('first boot', { kind: 'session', id: '1', user: 'ada' }))
    expect(living).toMatchObject({ seconds: 7200, gpuSeconds: 3600 })
  })
})
