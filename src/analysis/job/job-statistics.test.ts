import { describe, expect, it } from 'vitest'
import { lammps, poisson, running, usageOf } from '../../../test/golden/render/crafted-records.ts'
import { atLeast } from '../../model/measured.ts'
import { emptyUsage } from '../../model/usage.ts'
import { jobStatistics } from './job-statistics.ts'

describe('jobStatistics', () => {
  it('counts a finished job that is no success as failed, and open ones apart', () => {
    const waiting = { ...running, status: 'waiting', reason: 'waits in Slurm' } as const
    const ends = (['failed', 'timeout', 'error', 'interrupted', 'cancelled'] as const).map(
      (status) => ({ ...lammps, status }),
    )
    expect(jobStatistics([poisson, running, waiting, waiting, ...ends])).toMatchObject({
      total_jobs: 6,
      successful: 1,
      failed: 5,
      running: 1,
      waiting: 2,
      success_rate: 16.67,
    })
  })

  it('sums and averages, by tool too, the tool with most jobs first', () => {
    const statistics = jobStatistics([lammps, poisson, poisson])
    expect(statistics).toMatchObject({
      total_cpu_time_seconds: 637.91,
      total_duration_seconds: 705.91,
      average_duration_seconds: 235.303333,
    })
    expect(Object.keys(statistics.by_tool)).toEqual(['fenicsx', 'lammps'])
    expect(statistics.by_tool['fenicsx']).toEqual({
      count: 2,
      successful: 2,
      failed: 0,
      running: 0,
      waiting: 0,
      unknown: 0,
      success_rate: 100,
      total_duration: 660.24,
      total_duration_is_lower_bound: false,
      total_cpu_time: 595.58,
    })
  })

  it('keeps "at least" where one figure of a sum is a lower bound', () => {
    const bounded = {
      ...poisson,
      usage: { ...poisson.usage, cpuTotalSeconds: atLeast(1, 'looks') },
    }
    const killed = { ...poisson, status: 'interrupted' as const }
    expect(jobStatistics([poisson, bounded])).toMatchObject({
      total_cpu_time_is_lower_bound: true,
      total_duration_is_lower_bound: false,
    })
    expect(jobStatistics([poisson, killed])).toMatchObject({
      total_cpu_time_is_lower_bound: false,
      total_duration_is_lower_bound: true,
    })
  })

  it('says of how many jobs a sum does not know', () => {
    const unknown = { ...poisson, usage: emptyUsage('not watched'), durationSeconds: null }
    expect(jobStatistics([unknown])).toMatchObject({
      total_cpu_time_seconds: null,
      total_duration_seconds: null,
      average_duration_seconds: null,
      jobs_without_cpu_time: 1,
    })
    const known = { ...poisson, usage: usageOf({ cpuTotalSeconds: 2 }) }
    expect(jobStatistics([unknown, known])).toMatchObject({
      total_cpu_time_seconds: 2,
      jobs_without_cpu_time: 1,
      average_duration_seconds: 330.12,
    })
  })

  it('has no rate and no average over no jobs', () => {
    expect(jobStatistics([])).toMatchObject({
      total_jobs: 0,
      success_rate: null,
      total_cpu_time_seconds: 0,
      average_duration_seconds: null,
      by_tool: {},
    })
  })

  it('takes any tool name, such as __proto__', () => {
    const statistics = jobStatistics([{ ...poisson, tool: '__proto__' }])
    expect(Object.keys(statistics.by_tool)).toEqual(['__proto__'])
  })
})
