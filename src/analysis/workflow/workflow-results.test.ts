import { describe, expect, it } from 'vitest'
import { lammps, poisson, running, usageOf } from '../../../test/golden/render/crafted-records.ts'
import { training } from '../../../test/golden/render/crafted-workflows.ts'
import { emptyUsage } from '../../model/usage.ts'
import { workflowProgress, workflowUse } from './workflow-results.ts'

describe('workflowProgress', () => {
  it('counts everything that ended otherwise than well together', () => {
    expect(workflowProgress(training.states)).toEqual({
      total: 1205,
      success: 200,
      running: 2,
      waiting: 1000,
      unsuccessful: 3,
    })
  })
})

describe('workflowUse', () => {
  it('sums what was measured and what was asked for', () => {
    const use = workflowUse([poisson, lammps, running])
    expect(use.attempts).toBe(3)
    expect(use.measured).toBe(2)
    expect(use.cpuSeconds).toBeCloseTo(297.79 + 42.33)
    expect(use.requestedCoreSeconds).toBeCloseTo(330.12 + 45.67)
    expect(workflowUse([])).toMatchObject({ attempts: 0, cpuSeconds: 0 })
  })

  it('sets against requests only what those used that made one', () => {
    const without = { ...lammps, requirements: { ...lammps.requirements, cpus: null } }
    const use = workflowUse([poisson, without])
    expect(use.cpuSeconds).toBeCloseTo(297.79 + 42.33)
    expect(use.requestedCoreSeconds).toBeCloseTo(330.12)
    expect(use.shareOfRequests()).toBeCloseTo(297.79 / 330.12)
  })

  it('leaves attempts without CPU time or without an end out of that share', () => {
    const unwatched = { ...lammps, usage: emptyUsage('not watched') }
    const open = { ...running, usage: usageOf({ cpuTotalSeconds: 7 }) }
    const use = workflowUse([poisson, unwatched, open])
    expect(use.requestedCoreSeconds).toBeCloseTo(330.12 + 45.67)
    expect(use.shareOfRequests()).toBeCloseTo(297.79 / 330.12)
    expect(workflowUse([unwatched]).shareOfRequests()).toBeNull()
  })
})
