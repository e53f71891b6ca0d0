import { describe, expect, it } from 'vitest'
import { bytes } from '../../../test/fixtures/procfs/fixture.ts'
import { parseCgroupProcs } from './cgroup-procs.ts'

describe('parseCgroupProcs', () => {
  it('reads a pid a line', () => {
    const pids: number[] = []
    expect(parseCgroupProcs(bytes('1\n4524\n6594\n'), 12, pids)).toBe(true)
    expect(pids).toEqual([1, 4524, 6594])
  })
})
