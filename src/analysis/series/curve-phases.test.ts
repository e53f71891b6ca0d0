import { describe, expect, it } from 'vitest'
import { curvePhases } from './curve-phases.ts'
import { CurveCollector } from './curve-collector.ts'

function attempt(seconds: number, cpuPercent: (second: number) => number) {
  const collector = new CurveCollector(1000)
  for (let second = 0; second < seconds; second++)
    collector.add({
      jobId: 1,
      attempt: 1,
      timestamp: 1000 + second,
      cpuPercent: cpuPercent(second) + (second % 3),
      memoryBytes: 2 ** 30,
      processes: 1,
      readBytes: Number.NaN,
      writeBytes: Number.NaN,
    })
  const [curves] = collector.curves(1)
  if (curves === undefined) throw new Error('no curves')
  return curves
}

describe('curvePhases', () => {
  it('finds where a job changed, in seconds since 1970', () => {
    const phases = curvePhases(attempt(120, (second) => (second < 60 ? 100 : 800)))
    expect(phases.map(({ kind }) => kind)).toEqual(['one-core', 'parallel'])
    expect(phases[1]?.fromSeconds).toBeGreaterThan(1055)
    expect(phases[1]?.fromSeconds).toBeLessThan(1065)
  })

  it('finds none in a job that did one thing, or has hardly any samples', () => {
    expect(curvePhases(attempt(120, () => 300))).toEqual([])
    expect(curvePhases(attempt(5, (second) => second * 100))).toEqual([])
  })
})
