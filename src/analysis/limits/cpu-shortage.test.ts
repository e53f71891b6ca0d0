import { describe, expect, it } from 'vitest'
import { cpuShortage, isOnFullMachine, wantedMoreCpu, type CpuWait } from './cpu-shortage.ts'

/** 100 s on a crowded machine, in which it got half a core and was taken off it again and again. */
const crowded: CpuWait = {
  durationSeconds: 100,
  cpuSeconds: 50,
  cpuPressureSeconds: null,
  machineCpuPressureSeconds: 90,
  machineCpuPercentMean: 99,
  involuntarySwitches: 5000,
  lowerBounds: [],
}
const bound = { lowerBounds: ['cpuPressureSeconds'] } as const

describe('a job on a crowded machine', () => {
  it('was not short of CPU if it is known that it hardly waited', () => {
    expect(cpuShortage({ ...crowded, cpuPressureSeconds: 1 })).toBeUndefined()
  })

  it('may have been, if it is only known that it waited a little or more', () => {
    expect(cpuShortage({ ...crowded, ...bound, cpuPressureSeconds: 10 })).toEqual({
      whose: 'machine',
      share: 0.9,
    })
  })

  it('was not, where it is known to have got a core nearly whenever it wanted one', () => {
    const busy: CpuWait = { ...crowded, ...bound, cpuPressureSeconds: 1 }
    expect(cpuShortage(busy)).toBeUndefined()
    // What the bound leaves out may still be what a request would be lowered by.
    expect(wantedMoreCpu(busy)).toBe(true)
  })

  it('was not, where it slept for most of the time', () => {
    const asleep = { ...crowded, ...bound, cpuSeconds: 3, cpuPressureSeconds: 10 }
    expect(cpuShortage(asleep)).toBeUndefined()
  })

  it('was not, where three times what is known of its waits would be no shortage', () => {
    const half = { ...crowded, ...bound, cpuSeconds: 40 }
    expect(cpuShortage({ ...half, cpuPressureSeconds: 8 })).toBeUndefined()
    expect(cpuShortage({ ...half, cpuPressureSeconds: 9 })).toEqual({
      whose: 'machine',
      share: 0.9,
    })
  })

  it('was for as long as it waited at least, where that is much', () => {
    expect(cpuShortage({ ...crowded, ...bound, cpuPressureSeconds: 40 })).toEqual({
      whose: 'job',
      share: 0.4,
    })
  })

  it('probably got fewer cores than it wanted, where nobody knows how long anybody waited', () => {
    const unknown = { ...crowded, machineCpuPressureSeconds: null }
    expect(isOnFullMachine(unknown)).toBe(true)
    expect(isOnFullMachine({ ...unknown, ...bound, cpuPressureSeconds: 10 })).toBe(true)
    expect(isOnFullMachine({ ...unknown, ...bound, cpuPressureSeconds: 1 })).toBe(false)
    const asleep = { ...unknown, ...bound, cpuSeconds: 3, cpuPressureSeconds: 0.05 }
    expect(isOnFullMachine(asleep)).toBe(false)
    expect(isOnFullMachine({ ...unknown, cpuPressureSeconds: 1 })).toBe(false)
  })
})
