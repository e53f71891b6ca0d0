import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitMiddle } from './display-width.ts'
import { distinctNames } from './distinct-names.ts'

const within = (columns: number) => (name: string) => fitMiddle(name, columns)

describe('distinctNames', () => {
  it('leaves names alone that have room, and cuts the middle where that is enough', () => {
    const names = ['short', 'a_very_long_name_of_a_job_1', 'a_very_long_name_of_a_job_2']
    expect(distinctNames(names, within(16))).toEqual([
      'short',
      'a_very_lo…_job_1',
      'a_very_lo…_job_2',
    ])
  })

  it('shows where names differ that have both their ends in common', () => {
    const names = [1, 2, 30].map((number) => `very_long_job_name_of_sample_${number}_with_suffix`)
    expect(distinctNames(names, within(24))).toEqual([
      '…ple_1_with_suffix',
      '…ple_2_with_suffix',
      '…ple_30_with_suffix',
    ])
  })

  it('shows it where there is hardly any room', () => {
    const names = [1, 2].map((number) => `very_long_job_name_of_sample_${number}_with_suffix`)
    expect(distinctNames(names, within(8))).toEqual(['…_1_…fix', '…_2_…fix'])
  })

  it('keeps any numbered names apart', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 60 }), (before, after) => {
        const names = Array.from({ length: 12 }, (_, index) => `${before}#${index}#${after}`)
        const short = distinctNames(names, within(24))
        expect(new Set(short).size).toBe(12)
      }),
    )
  })

  it('cannot tell names apart that are the same', () => {
    const name = 'n'.repeat(40)
    const short = fitMiddle(name, 24)
    expect(distinctNames([name, name], within(24))).toEqual([short, short])
  })
})
