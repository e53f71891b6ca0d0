import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SeenRound, SeenSeries } from '../../model/seen-round.ts'
import { usedWithin, type LivedUse } from './used-within.ts'

const none = { readBytes: null, writeBytes: null, gpuMemoryBytes: null, memoryPeakBytes: null }
const ofNode = { nodeSeconds: null, nodeCpuSeconds: null, nodeMemoryBytes: null }
const round = (to: number, seconds: number, cpuSeconds: number): SeenRound => ({
  ...none,
  ...ofNode,
  to,
  seconds,
  cpuSeconds,
  gpuSeconds: 2 * cpuSeconds,
  memoryBytes: 10 * cpuSeconds,
})

const minutes = (count: number): SeenSeries => ({
  kind: 'rounds',
  rounds: Array.from({ length: count }, (_, at) => round(60 * (at + 1), 60, at)),
})

function lifeOf({ rounds }: SeenSeries): LivedUse {
  const sum = (of: (one: SeenRound) => number) => rounds.reduce((all, one) => all + of(one), 0)
  const seenSeconds = sum(({ seconds }) => seconds)
  return {
    firstSeen: 0,
    lastSeen: rounds.at(-1)?.to ?? 0,
    seenSeconds,
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds ?? 0),
    gpuSeconds: sum(({ gpuSeconds }) => gpuSeconds ?? 0),
    memoryMeanBytes: sum((one) => (one.memoryBytes ?? 0) * one.seconds) / seenSeconds,
  }
}

describe('what a job used between two moments', () => {
  it('is that of the rounds between them', () => {
    const series = minutes(10)
    expect(usedWithin(lifeOf(series), series, { from: 120, to: 300 })).toEqual({
      seenSeconds: 180,
      cpuSeconds: 2 + 3 + 4,
      gpuSeconds: 18,
      memoryMeanBytes: 30,
    })
  })

  it('has its part of a round that one of them cuts', () => {
    const series = minutes(3)
    const used = usedWithin(lifeOf(series), series, { from: 90, to: 1e9 })
    expect(used).toMatchObject({ seenSeconds: 90, cpuSeconds: 0.5 + 2 })
  })

  it('is spread over the part of a bucket in which the job was there', () => {
    const series: SeenSeries = { kind: 'hours', rounds: [round(3600, 600, 300)] }
    const life = { ...lifeOf(series), firstSeen: 0, lastSeen: 600 }
    expect(usedWithin(life, series, { from: 300, to: 3600 })).toMatchObject({
      seenSeconds: 300,
      cpuSeconds: 150,
    })
  })

  it('is spread over its life where nothing finer is kept', () => {
    const life = { ...lifeOf(minutes(10)), firstSeen: 0, lastSeen: 600 }
    const used = usedWithin(life, { kind: 'rounds', rounds: [] }, { from: 300, to: 900 })
    expect(used).toMatchObject({ seenSeconds: 300, cpuSeconds: 22.5 })
    expect(used.memoryMeanBytes).toBeCloseTo(45)
  })

  it('adds up to all of it, wherever its life is cut', () => {
    const rounds = fc.array(fc.tuple(fc.integer({ min: 1, max: 900 }), fc.nat(1000)), {
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(rounds, fc.array(fc.nat(20_000), { maxLength: 5 }), (made, given) => {
        let at = 0
        const series: SeenSeries = {
          kind: 'rounds',
          rounds: made.map(([seconds, cpu]) => round((at += seconds), seconds, cpu)),
        }
        const life = lifeOf(series)
        const cuts = [0, ...given.toSorted((a, b) => a - b), 1e6]
        const parts = cuts
          .slice(1)
          .map((to, index) => usedWithin(life, series, { from: cuts[index] ?? 0, to }))
        const sum = (key: 'seenSeconds' | 'cpuSeconds' | 'gpuSeconds') =>
          parts.reduce((all, part) => all + (part[key] ?? 0), 0)
        for (const key of ['seenSeconds', 'cpuSeconds', 'gpuSeconds'] as const)
          expect(sum(key)).toBeCloseTo(life[key] ?? 0, 5)
      }),
    )
  })
})
