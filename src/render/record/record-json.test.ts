import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lammps, poisson, running, usageOf } from '../../../test/golden/render/crafted-records.ts'
import type { JobRecord } from '../../model/record.ts'
import { usageKeys } from '../../model/usage.ts'
import { recordJson } from './record-json.ts'

describe('recordJson', () => {
  it('is, key for key, the documented record and ours beside it', async () => {
    const text = `${JSON.stringify(recordJson(poisson), null, 2)}\n`
    await expect(text).toMatchFileSnapshot('../../../test/golden/render/record.json')
  })

  it('has the documented keys in the documented order', () => {
    const documented =
      'task_id tool script params start_time end_time duration_seconds status returncode ' +
      'resource_usage detailed_profile error has_result'
    expect(Object.keys(recordJson(poisson)).slice(0, 13).join(' ')).toBe(documented)
    expect(recordJson(poisson)).toMatchObject({
      start_time: '2025-10-15T10:30:00.000000Z',
      end_time: '2025-10-15T10:35:30.123456Z',
      duration_seconds: 330.12,
      returncode: 0,
      resource_usage: {
        cpu_user_seconds: 285.45,
        cpu_system_seconds: 12.34,
        cpu_total_seconds: 297.79,
        memory_peak_mb: 2048.56,
      },
      error: null,
      has_result: true,
    })
  })

  it.each<[string, Partial<JobRecord>, string | null]>([
    ['a success', { status: 'success', reason: 'left 2 processes behind' }, null],
    ['a running job', { status: 'running' }, null],
    ['its reason', { status: 'failed', reason: 'out of memory' }, 'out of memory'],
    ['an exit code', { status: 'failed', exitCode: 3 }, 'exited with code 3'],
    [
      'a code that shells and containers have for a signal',
      { status: 'failed', exitCode: 137 },
      'exited with code 137 (as by SIGKILL)',
    ],
    ['a signal', { status: 'failed', signal: 'SIGSEGV', exitCode: 139 }, 'ended by SIGSEGV'],
    ['a timeout', { status: 'timeout', signal: 'SIGTERM', exitCode: 124 }, 'timed out'],
    ['a command that is not there', { status: 'error', exitCode: 127 }, 'could not be run'],
    ['an interruption', { status: 'interrupted', exitCode: null }, 'interrupted'],
  ])('explains %s', (_, facts, error) => {
    expect(recordJson({ ...poisson, ...facts }).error).toBe(error)
  })

  it('has no profile of a job that was not watched', () => {
    const samples = { collected: 0, intervalSeconds: null, late: 0, ownCpuSeconds: null }
    expect(recordJson({ ...poisson, samples }).detailed_profile).toBeNull()
  })

  it('shows null for what was not measured, with the reason', () => {
    const json = recordJson(running)
    expect(Object.values(json.usage).every((value) => value === null)).toBe(true)
    expect(json.basis).toEqual({})
    expect(json.unmeasured.cpu_percent_p95).toBe('it still runs')
    expect(json.detailed_profile?.io_stats.total_io_mb).toBeNull()
  })

  it('shows every figure of a usage with its basis or its reason', () => {
    const { usage, basis, unmeasured } = recordJson(lammps)
    expect(Object.keys(usage)).toHaveLength(usageKeys.length)
    expect({ ...basis, ...unmeasured }).toEqual(
      Object.fromEntries(
        Object.entries(usage).map(([key, value]) => [
          key,
          value === null ? 'this kernel does not count it' : 'cgroup',
        ]),
      ),
    )
  })

  it('never turns something measured into 0', () => {
    const positive = fc.double({ min: 1e-12, max: 1e15, noNaN: true })
    fc.assert(
      fc.property(positive, positive, (cpuTotalSeconds, memoryPeakBytes) => {
        const usage = usageOf({ cpuTotalSeconds, memoryPeakBytes })
        const { resource_usage: used } = recordJson({ ...poisson, usage })
        expect(used.cpu_total_seconds).toBeGreaterThan(0)
        expect(used.memory_peak_mb).toBeGreaterThan(0)
      }),
    )
  })
})
