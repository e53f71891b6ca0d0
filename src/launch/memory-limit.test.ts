import { describe, expect, it } from 'vitest'
import { ok, unavailable } from '../model/reading.ts'
import { emptyUsage, memoryLimitIn, memoryLimitMetIn } from '../model/usage.ts'
import { MemoryLimit } from './memory-limit.ts'

const bytes = 64 * 2 ** 30
const kernel = { limitMemory: () => ok(true as const) }
const noKernel = { limitMemory: () => unavailable('no memory controller') }
const usage = emptyUsage('not in this test')
const plain = { endedBy: null, requestedBytes: null }
const seen = { cpuPercent: 0, memoryBytes: 2 ** 30, oomKills: 0, limitHits: 0 }

describe('the memory limit of a job', () => {
  it('is watched where no kernel enforces it', () => {
    expect(new MemoryLimit(bytes, kernel).watchedBytes).toBeNull()
    expect(new MemoryLimit(bytes, noKernel).watchedBytes).toBe(bytes)
    expect(new MemoryLimit(bytes, null).watchedBytes).toBe(bytes)
  })

  it('is not recorded where nobody could hold the job to it', () => {
    const unseen = { ...seen, memoryBytes: Number.NaN }
    expect(memoryLimitIn(new MemoryLimit(bytes, null).noteIn(usage, unseen, plain))).toBeNull()
    expect(memoryLimitIn(new MemoryLimit(bytes, null).noteIn(usage, seen, plain))).toBe(bytes)
    expect(memoryLimitIn(new MemoryLimit(bytes, kernel).noteIn(usage, unseen, plain))).toBe(bytes)
  })

  it('is not a figure of its own where it is the request', () => {
    const asked = { ...plain, requestedBytes: bytes }
    expect(memoryLimitIn(new MemoryLimit(bytes, kernel).noteIn(usage, seen, asked))).toBeNull()
  })

  it('is met where the kernel killed at it, and not where the machine ran out of memory', () => {
    const limit = new MemoryLimit(bytes, kernel)
    const met = { ...seen, oomKills: 1, limitHits: 1 }
    expect(memoryLimitMetIn(limit.noteIn(usage, met, plain))).toBe(bytes)
    const elsewhere = { ...seen, oomKills: 1, limitHits: 0 }
    expect(memoryLimitMetIn(limit.noteIn(usage, elsewhere, plain))).toBeNull()
    const untold = { ...seen, oomKills: 1, limitHits: Number.NaN }
    expect(memoryLimitMetIn(limit.noteIn(usage, untold, plain))).toBeNull()
  })

  it('is met where we ended the job for it', () => {
    const endedBy = { kind: 'memory', limitBytes: bytes, seenBytes: 2 * bytes } as const
    const noted = new MemoryLimit(bytes, null).noteIn(usage, seen, { ...plain, endedBy })
    expect(memoryLimitMetIn(noted)).toBe(bytes)
  })
})
