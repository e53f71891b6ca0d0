import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poisson, usageOf } from '../../../test/golden/render/crafted-records.ts'
import { noRequirements } from '../../model/job.ts'
import { measured } from '../../model/measured.ts'
import { memoryLimitMetIn, withMemoryLimit } from '../../model/usage.ts'
import type { JobRecord } from '../../model/record.ts'
import { boundBy } from '../job/bound-by.ts'
import { cpuWaitOf } from './cpu-shortage.ts'
import { jobReport } from '../job/job-report.ts'
import { sizeRequest } from '../sizing/sizing.ts'

const megabyte = 2 ** 20

interface Killed {
  readonly peakBytes: number
  readonly limitBytes: number
  readonly requestedBytes?: number | null
  readonly differences?: Partial<JobRecord>
}

/** A job that slept nearly all the time before the kernel killed it. */
const killed = ({
  peakBytes,
  limitBytes,
  requestedBytes = null,
  differences = {},
}: Killed): JobRecord => ({
  ...poisson,
  requirements: { ...noRequirements, memoryBytes: requestedBytes },
  durationSeconds: 2,
  status: 'failed',
  exitCode: 137,
  signal: 'SIGKILL',
  reason: `out of memory: the kernel held it to its limit of ${(limitBytes / megabyte).toFixed(1)} MB`,
  usage: usageOf({
    cpuTotalSeconds: 0.2,
    memoryPeakBytes: peakBytes,
    processesKilledForMemory: 1,
  }),
  ...differences,
})

/** What `reports recommend` makes of the same attempt. */
const recommended = (record: JobRecord): number | null => {
  const { usage } = record
  return sizeRequest(record.requirements, [
    {
      jobName: record.name,
      status: record.status,
      reason: record.reason,
      machineCores: record.machine.cores,
      ...cpuWaitOf(record),
      cpuPercentP95: usage.cpuPercentP95.value,
      memoryPeakBytes: usage.memoryPeakBytes.value,
      largestProcessPeakBytes: usage.largestProcessPeakBytes.value,
      swapPeakBytes: usage.swapPeakBytes.value,
      cgroupMemoryPeakBytes: usage.cgroupMemoryPeakBytes.value,
      memoryLimitMetBytes: memoryLimitMetIn(usage),
      lowerBounds: [],
    },
  ]).memory.recommended
}

describe('a limit that was set apart from the request', () => {
  const limitBytes = 100 * megabyte
  const job = killed({ peakBytes: 99.9 * megabyte, limitBytes })
  const limited = { ...job, usage: withMemoryLimit(job.usage, limitBytes) }

  it('is what the job had, and what to raise', () => {
    const { efficiency, advice } = jobReport(limited, [])
    expect(efficiency.memory).toMatchObject({ of: limitBytes, basis: 'limit' })
    expect(efficiency.memory.share.value).toBeCloseTo(0.999, 6)
    expect(advice[0]).toMatchObject({
      about: 'out-of-memory',
      figures: { limit_bytes: limitBytes },
    })
    expect(boundBy(limited).sentence).toContain('Raise its memory limit, such as to ')
  })

  it('does not take the place of a smaller request', () => {
    const requirements = { ...noRequirements, memoryBytes: 60 * megabyte }
    const { memory } = jobReport({ ...limited, requirements }, []).efficiency
    expect(memory).toMatchObject({ of: 60 * megabyte, basis: 'request' })
  })
})

describe('a limit that a container got from its own command', () => {
  const limitBytes = 32 * megabyte

  const contained = (requestedBytes: number | null): JobRecord => {
    const job = killed({ peakBytes: 31 * megabyte, limitBytes })
    const usage = {
      ...job.usage,
      memoryLimitMetBytes: measured(limitBytes, 'test'),
      containerMemoryLimitBytes: measured(limitBytes, 'test'),
    }
    return { ...job, usage, requirements: { ...noRequirements, memoryBytes: requestedBytes } }
  }

  it.each([100 * megabyte, null])('is what to raise, whatever was asked for (%s)', (requested) => {
    const record = contained(requested)
    const size = requested === null ? '48 MB' : '100 MB'
    expect(boundBy(record).sentence).toContain(
      `at its limit of 32.0 MB. Raise the memory limit of the container, such as to ${size}.`,
    )
    const [advice] = jobReport(record, []).advice
    expect(advice?.figures).toMatchObject({ container_limit_bytes: limitBytes })
  })

  it('is no other than the request that it was made of', () => {
    const record = contained(limitBytes)
    expect(boundBy(record).sentence).toContain('Ask for more, such as 48 MB.')
    const [advice] = jobReport(record, []).advice
    expect(advice?.figures).toEqual({ ask_bytes: 48 * megabyte })
  })
})

describe('a job that was killed because the machine ran out of memory', () => {
  const gigabyte = 1024 * megabyte
  const told = 'out of memory: the kernel killed a process of the job'
  /** As it was recorded before limits that were met could be told from others. */
  const toldBefore = 'out of memory: the kernel held it to its limit of 65536.0 MB'
  const usage = usageOf({
    memoryPeakBytes: 12 * gigabyte,
    cgroupMemoryPeakBytes: 13 * gigabyte,
    processesKilledForMemory: 1,
  })

  it.each([told, toldBefore])('is not told that it met its limit: %s', (reason) => {
    const limitBytes = 64 * gigabyte
    const record = killed({
      peakBytes: 12 * gigabyte,
      limitBytes,
      requestedBytes: 8 * gigabyte,
      differences: { reason, usage: withMemoryLimit(usage, limitBytes) },
    })
    expect(boundBy(record).sentence).toBe(
      'Out of memory: 1 process of the job was killed for memory. Ask for more, such as 18 GB.',
    )
    const [advice] = jobReport(record, []).advice
    expect(advice).toEqual({ about: 'out-of-memory', figures: { ask_bytes: 18 * gigabyte } })
    expect(recommended(record)).toBe(18 * gigabyte)
  })
})

describe('a job that was killed for memory', () => {
  it('is told so before anything else, with what to ask for', () => {
    const record = killed({ peakBytes: 54 * megabyte, limitBytes: 50 * megabyte })
    expect(boundBy(record)).toEqual({
      kind: 'out-of-memory',
      sentence:
        'Out of memory: 1 process of the job was killed for memory at its limit of 50.0 MB. Ask for more, such as 81 MB.',
    })
  })

  it('is told so however short it was', () => {
    const record = killed({
      peakBytes: 54 * megabyte,
      limitBytes: 50 * megabyte,
      differences: { durationSeconds: 0.1 },
    })
    expect(boundBy(record).kind).toBe('out-of-memory')
  })

  it('is told so where nobody counted who was killed', () => {
    const record = killed({
      peakBytes: 54 * megabyte,
      limitBytes: 50 * megabyte,
      differences: {
        reason: 'out of memory: used 60.0 MB, over its limit of 50.0 MB',
        usage: usageOf({ cpuTotalSeconds: 0.2, memoryPeakBytes: 60 * megabyte }),
      },
    })
    expect(boundBy(record).sentence).toBe(
      'Out of memory: it was killed at its limit of 50.0 MB. Ask for more, such as 90 MB.',
    )
  })

  it('is told of the children that were killed although it exited with 0', () => {
    const record = killed({
      peakBytes: 54 * megabyte,
      limitBytes: 50 * megabyte,
      differences: {
        status: 'success',
        exitCode: 0,
        signal: null,
        reason: '2 processes of the job were killed for memory at its limit of 50.0 MB',
        usage: usageOf({
          cpuTotalSeconds: 1.9,
          memoryPeakBytes: 54 * megabyte,
          processesKilledForMemory: 2,
        }),
      },
    })
    expect(boundBy(record)).toEqual({
      kind: 'out-of-memory',
      sentence:
        'Out of memory: 2 processes of the job were killed for memory at its limit of 50.0 MB, although the job exited with 0. Ask for more, such as 81 MB.',
    })
    expect(jobReport(record, []).advice[0]?.about).toBe('out-of-memory')
  })

  it('is told to ask for more than was ever reached, and the same everywhere', () => {
    const size = fc.integer({ min: 1, max: 2 ** 17 }).map((megabytes) => megabytes * megabyte)
    fc.assert(
      fc.property(size, size, size, (peakBytes, limitBytes, requestedBytes) => {
        const record = killed({ peakBytes, limitBytes, requestedBytes })
        const [advice] = jobReport(record, []).advice
        expect(advice?.about).toBe('out-of-memory')
        const askBytes = advice?.figures['ask_bytes'] ?? 0
        expect(askBytes).toBeGreaterThan(peakBytes)
        expect(askBytes).toBeGreaterThan(limitBytes)
        expect(askBytes).toBe(recommended(record))
      }),
      { seed: 11 },
    )
  })
})
