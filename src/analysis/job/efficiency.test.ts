import { describe, expect, it } from 'vitest'
import { poisson } from '../../../test/golden/render/crafted-records.ts'
import { measured, unmeasured, type Measured } from '../../model/measured.ts'
import { emptyUsage } from '../../model/usage.ts'
import { efficiency } from './efficiency.ts'

describe('the cores of a job', () => {
  const partOf = (cpus: number | null, limitPercent: number | null) => {
    const figures =
      limitPercent === null
        ? {}
        : { containerCpuLimitPercent: measured(limitPercent, 'as set when the container was made') }
    const requirements = { ...poisson.requirements, cpus }
    return efficiency({ ...poisson, requirements, usage: { ...poisson.usage, ...figures } }).cores
  }

  it('are no more than its container may use', () => {
    expect(partOf(null, 30)).toMatchObject({ of: 0.3, basis: 'limit' })
    expect(partOf(2, 30)).toMatchObject({ of: 0.3, basis: 'limit' })
    expect(partOf(2, 400)).toMatchObject({ of: 2, basis: 'request' })
    expect(partOf(null, null)).toMatchObject({ of: poisson.machine.cores, basis: 'machine' })
  })
})

describe('the GPUs of a job that asked for none', () => {
  const partOf = (figures: Readonly<Record<string, Measured>>) =>
    efficiency({ ...poisson, usage: { ...poisson.usage, ...figures } }).gpu.share

  it('were not used where somebody looked', () => {
    expect(partOf({ gpuCards: measured(0, 'used by its processes') })).toMatchObject({
      why: 'it asked for no GPU and used none',
    })
  })

  it('may have been used where nobody looked', () => {
    const why = 'not asked for (--metrics)'
    expect(partOf({ gpuUtilizationPercentMean: unmeasured(why) })).toMatchObject({ why })
    const unwatched = { ...poisson, usage: emptyUsage('monitoring was turned off') }
    expect(efficiency(unwatched).gpu.share).toMatchObject({ why: 'monitoring was turned off' })
  })
})
