import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeJob, nodeRound } from './made-round.ts'
import { sampleIndex } from '../../src/model/sample.ts'
import type { SeenSeries } from '../../src/model/seen-round.ts'
import { openNodeStore } from '../../src/store/node/open-node.ts'
import { jobShares } from '../../src/analysis/node/job-shares.ts'
import { seenRecord } from '../../src/analysis/node/seen-record.ts'
import { seenSamples } from '../../src/analysis/node/seen-samples.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A whole hour in UTC. */
const hour = 1_772_409_600
const keptFor = {
  rounds: { rawDays: 9, fiveMinuteDays: 9, hourDays: 9 },
  'five minutes': { rawDays: 1, fiveMinuteDays: 9, hourDays: 9 },
  hours: { rawDays: 1, fiveMinuteDays: 1, hourDays: 9 },
} as const

/** Two of the four cores of the node are busy all the time, one of them with the job, which runs for some of its minutes. */
function seen(kind: SeenSeries['kind'], firstMinute: number, minutes: number) {
  const store = openNodeStore(join(folder, `${firstMinute} ${minutes} ${kind}.db`))
  for (let minute = 1; minute <= 120; minute++) {
    const isThere = minute >= firstMinute && minute < firstMinute + minutes
    const rest = nodeJob('1', 'bob', isThere ? 60 : 120)
    const jobs = isThere ? [rest, nodeJob('2', 'ada', 60)] : [rest]
    store.addRound(nodeRound(hour + 60 * minute, jobs))
  }
  store.keepOnly(keptFor[kind], hour + 5 * 86_400)
  const [job] = store.reader.jobs({ users: ['ada'] })
  if (job === undefined) throw new Error('it was not seen')
  const series = store.reader.series(job)
  store.close()
  return { job, series }
}

describe.each(['rounds', 'five minutes', 'hours'] as const)('a job that is known by %s', (kind) => {
  it('has the node as busy as it was, however short the job is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        (first, many) => {
          const { job, series } = seen(kind, first, many)
          expect(series.kind).toBe(kind)
          const { usage } = seenRecord(job, series.rounds)
          expect(usage).toMatchObject({
            machineCpuPercentMean: { value: expect.closeTo(50, 6) as number },
            machineCpuPercentMax: { value: expect.closeTo(50, 6) as number },
          })
          const last = seenSamples(series.rounds).at(-1)
          const at = (name: 'machine_cpu_seconds' | 'elapsed_seconds') => last?.[sampleIndex[name]]
          expect(at('elapsed_seconds')).toBeCloseTo(60 * many, 6)
          expect(at('machine_cpu_seconds')).toBeCloseTo(120 * many, 6)
        },
      ),
      { numRuns: 3, seed: 6, examples: [[60, 1]] },
    )
  })
})

describe('a job on cards that do not tell how busy they are', () => {
  it('is not taken for one that left them idle', () => {
    const store = openNodeStore(join(folder, 'instances.db'))
    const onInstance = nodeJob('1', 'ada', 60, {
      gpus: 1,
      gpuSeconds: null,
      gpuMemoryBytes: 2 ** 30,
    })
    for (let minute = 1; minute <= 90; minute++)
      store.addRound(nodeRound(hour + 60 * minute, [onInstance]))
    const [job] = store.reader.jobs({ users: ['ada'] })
    if (job === undefined) throw new Error('it was not seen')
    const { rounds } = store.reader.series(job)
    const past = store.reader.pastRounds({ host: job.host, from: hour, to: hour + 5400 })
    store.close()
    expect([
      jobShares(job).meanGpus,
      ...new Set(rounds.map(({ gpuSeconds }) => gpuSeconds)),
    ]).toEqual([null, null])
    expect(past?.rounds[0]?.jobs[0]).toMatchObject({ gpus: 1, gpuSeconds: null })
    expect(seenRecord(job, rounds).usage).toMatchObject({
      gpuCards: { value: 1 },
      gpuBusySeconds: { value: null },
      gpuUtilizationPercentMean: { value: null },
    })
  })
})
