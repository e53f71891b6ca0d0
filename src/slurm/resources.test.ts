import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpusIn, gpusIn, memoryIn, slurmResources } from './resources.ts'

describe('what Slurm counts', () => {
  it.each([
    ['cpu=2,gres/gpu=3,gres/gpu:a100=3', 3],
    ['cpu=2,gres/gpu:a100=1,gres/gpu:h100=2', 3],
    ['cpu=2', 0],
    ['', null],
    ['cpu=2,gres/gpu:a100=many', undefined],
  ])('of %s are %j cards', (told, gpus) => {
    expect(gpusIn(slurmResources(told) ?? new Map())).toBe(gpus)
  })

  it('is found again, whatever else is counted and in whichever order', () => {
    const count = fc.nat(1_000_000)
    const cards = fc.dictionary(fc.stringMatching(/^[a-z]\w{0,7}$/), fc.nat(1000))
    fc.assert(
      fc.property(count, count, cards, fc.boolean(), (cpus, mebibytes, byType, isReversed) => {
        const typed = Object.entries(byType)
        const entries = [
          `cpu=${cpus}`,
          `mem=${mebibytes}M`,
          'billing=7',
          ...typed.map(([type, number]) => `gres/gpu:${type}=${number}`),
        ]
        const told = (isReversed ? entries.reverse() : entries).join(',')
        const resources = slurmResources(told) ?? new Map<string, string>()
        expect(cpusIn(resources)).toBe(cpus)
        expect(memoryIn(resources)).toBe(mebibytes * 2 ** 20)
        expect(gpusIn(resources)).toBe(typed.reduce((sum, [, number]) => sum + number, 0))
      }),
    )
  })

  it.each(['cpu', '=3', 'cpu=1,,mem=2G'])('is not %j', (told) => {
    expect(slurmResources(told)).toBeUndefined()
  })
})
