import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { costs } from './scale/costs.ts'
import { site } from './scale/page.ts'
import { queueLoad } from './scale/queue.ts'
import { simulate, type Run } from './scale/simulate.ts'
import { scalePage, withTables } from './scale.ts'

describe('docs/scale.md', () => {
  it(
    'has the tables that the program prints: else run node tools/scale.ts',
    { timeout: 180_000 },
    () => {
      const page = readFileSync(scalePage, 'utf8')
      expect(withTables(page)).toBe(page)
      expect(() => withTables('')).toThrow('no place for costs')
    },
  )
})

describe('the simulation', () => {
  const small: Run = {
    site: { ...site, nodes: 500, jobsPerDay: 50_000 },
    sending: { kind: 'timer', everySeconds: 60 },
    server: { servers: 1, cores: 4, connections: 50 },
    seconds: 1200,
  }

  it('stores what is younger than an interval where there is room for all', () => {
    const result = simulate(small)
    expect(result).toMatchObject({ refusedShare: 0, behind: 0, recoverySeconds: null })
    expect(result.medianLagSeconds).toBeGreaterThan(25)
    expect(result.medianLagSeconds).toBeLessThan(35)
    expect(result.worstLagSeconds).toBeLessThan(65)
  })

  it('uses as much of the cores as the work takes', () => {
    // 500 turns a minute of 28 ms, on 4 cores.
    expect(simulate(small).load).toBeCloseTo((500 * 0.028) / 60 / 4, 2)
  })

  it('refuses those for whom there is no connection, and keeps to the limit', () => {
    const result = simulate({
      ...small,
      sending: { kind: 'watch' },
      server: { servers: 1, cores: 4, connections: 50 },
    })
    expect(result.connections).toBe(50)
    expect(result.refusedShare).toBeGreaterThan(0.9)
    expect(result.behind).toBeGreaterThan(300)
  })

  it('has more servers share the nodes', () => {
    const shared = simulate({ ...small, server: { servers: 5, cores: 4, connections: 50 } })
    expect(shared.load).toBeCloseTo(simulate(small).load / 5, 2)
  })

  it('stores after an outage all that waited, within an interval', () => {
    const result = simulate({ ...small, seconds: 7200, outage: { from: 1800, to: 5400 } })
    expect(result.recoverySeconds).toBeGreaterThan(50)
    expect(result.recoverySeconds).toBeLessThan(65)
    const unfinished = simulate({ ...small, seconds: 5410, outage: { from: 1800, to: 5400 } })
    expect(unfinished.recoverySeconds).toBeNull()
  })
})

describe('the load of a queue', () => {
  it('is that of its workers where there are no jobs, and grows with both', () => {
    const idle = queueLoad({ workers: 1000, jobsPerDay: 0 })
    const { ms, statements } = costs.queue.idleWorkerSecond
    expect(idle).toMatchObject({ cores: ms, statementsPerSecond: 1000 * statements })
    const busy = queueLoad({ workers: 1000, jobsPerDay: 86_400 })
    const { submit, run } = costs.queue
    expect(busy.cores - idle.cores).toBeCloseTo((submit.ms + run.ms) / 1000, 9)
    expect(busy.connections).toBe(idle.connections)
  })
})
