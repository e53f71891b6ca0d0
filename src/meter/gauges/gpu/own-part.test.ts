import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { h200Card } from '../../../../test/gpu/replay.ts'
import type { GpuCard } from '../../../sensors/gpu/gpu-card.ts'
import { ownWatts, type OwnPart } from './own-part.ts'

function cardWith(processes: number, powerWatts: number, idlePowerWatts: number): GpuCard {
  const card = h200Card()
  for (let pid = 1; pid <= processes; pid++) card.processes.place(pid)
  return Object.assign(card, { powerWatts, idlePowerWatts })
}

const partOf = (count: number, others: number, workShare: number): OwnPart => ({
  count,
  others,
  workShare,
  isUnknown: false,
  isUnseen: false,
  unseenPids: [],
  isUncounted: false,
  isWholeCard: false,
  memoryBytes: 0,
  utilizationPercent: 0,
  toldPercent: 0,
  allToldPercent: 0,
  lateBusySeconds: 0,
})

describe('the power of a card that several jobs use', () => {
  it('is idle draw in equal parts, and the rest by work', () => {
    const card = cardWith(2, 690, 80)
    expect(ownWatts(card, partOf(1, 1, 1))).toBe(40 + 610)
    expect(ownWatts(card, partOf(1, 1, 0))).toBe(40)
    expect(ownWatts(card, partOf(0, 2, 0))).toBe(0)
    expect(ownWatts(card, partOf(2, 0, 1))).toBe(690)
  })

  it('is not told where shares are not', () => {
    const card = cardWith(2, 690, 80)
    expect(ownWatts(card, partOf(1, 1, Number.NaN))).toBeNaN()
    card.processes.tellsUtilization = false
    expect(ownWatts(card, partOf(1, 1, 0.5))).toBeNaN()
  })

  it('is divided without a rest, whatever is drawn and done', () => {
    const watts = fc.double({ min: 0, max: 1000, noNaN: true })
    const jobs = fc.array(fc.record({ processes: fc.integer({ min: 1, max: 9 }), work: watts }), {
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(jobs, watts, fc.option(watts, { nil: Number.NaN }), (all, power, idle) => {
        const processes = all.reduce((sum, job) => sum + job.processes, 0)
        const work = all.reduce((sum, job) => sum + job.work, 0)
        const card = cardWith(processes, power, idle)
        const parts = all.map((job) => {
          const share = work === 0 ? job.processes / processes : job.work / work
          return ownWatts(card, partOf(job.processes, processes - job.processes, share))
        })
        expect(Math.min(...parts)).toBeGreaterThanOrEqual(0)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(power, 6)
      }),
      { seed: 7, numRuns: 1000 },
    )
  })
})
