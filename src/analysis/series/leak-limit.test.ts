import { describe, expect, it } from 'vitest'
import { poisson, usageOf } from '../../../test/golden/render/crafted-records.ts'
import { gigabyte } from '../../model/bytes.ts'
import { noRequirements } from '../../model/job.ts'
import type { JobRecord } from '../../model/record.ts'
import { withMemoryLimit } from '../../model/usage.ts'
import { efficiency } from '../job/efficiency.ts'
import type { MemoryTrend } from './leak.ts'
import { leakLimit } from './leak-limit.ts'

/** 1.5 GB after an hour, and 1 GB more in each. */
const leak: MemoryTrend = {
  kind: 'leak',
  leak: {
    bytesPerHour: gigabyte,
    rSquared: 1,
    risingShare: 1,
    fromSeconds: 0,
    toSeconds: 3600,
    endBytes: 1.5 * gigabyte,
  },
}

/** In GB. */
interface Bounds {
  readonly request?: number
  readonly limit?: number
  readonly machine?: number | null
}

function held({ request = 0, limit, machine = 64 }: Bounds): JobRecord {
  const usage = usageOf({ memoryPeakBytes: 1.5 * gigabyte })
  return {
    ...poisson,
    machine: { ...poisson.machine, memoryBytes: machine === null ? null : machine * gigabyte },
    requirements: { ...noRequirements, memoryBytes: request * gigabyte || null },
    usage: limit === undefined ? usage : withMemoryLimit(usage, limit * gigabyte),
  }
}

describe('where a leak would end', () => {
  it.each([
    ['the machine', 'machine', 64, {}],
    ['a limit', 'limit', 2, { limit: 2 }],
    ['a request', 'request', 4, { request: 4 }],
    ['a request below the limit', 'request', 2, { request: 2, limit: 3 }],
    ['a limit below the request', 'limit', 2, { request: 3, limit: 2 }],
    ['a machine that has less than the limit', 'machine', 64, { limit: 100 }],
    ['a limit on a machine of unknown size', 'limit', 2, { limit: 2, machine: null }],
  ] as const)('is %s, as in its efficiency', (_, limit, gigabytes, bounds: Bounds) => {
    const bytes = gigabytes * gigabyte
    const atSeconds = 3600 * (gigabytes - 0.5)
    expect(leakLimit(leak, held(bounds))).toEqual({ limit, bytes, atSeconds })
    expect(efficiency(held(bounds)).memory).toMatchObject({ of: bytes, basis: limit })
  })

  it('is the machine where more was asked for than that has', () => {
    const atSeconds = 3600 * 63.5
    const bytes = 64 * gigabyte
    expect(leakLimit(leak, held({ request: 128 }))).toEqual({ limit: 'machine', bytes, atSeconds })
    expect(efficiency(held({ request: 128 })).memory).toMatchObject({ basis: 'request' })
  })

  it('is not known where nothing bounds it', () => {
    expect(leakLimit(leak, held({ machine: null }))).toBeNull()
  })
})
