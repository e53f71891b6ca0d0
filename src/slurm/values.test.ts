import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { slurmBytes, slurmCount, slurmSeconds } from './values.ts'

describe('what Slurm prints', () => {
  it.each([
    ['00:12.345', 12.345],
    ['10:00', 600],
    ['01:02:03', 3723],
    ['1-02:04:00', 93_840],
    ['2-00:00:01.500', 172_801.5],
    ['Unknown', null],
    ['UNLIMITED', null],
    ['INVALID', null],
    ['', null],
    ['soon', undefined],
  ])('%s lasts %j seconds', (told, seconds) => {
    expect(slurmSeconds(told)).toBe(seconds)
  })

  it('takes every duration back that it can print', () => {
    const parts = fc.tuple(fc.nat(500), fc.nat(23), fc.nat(59), fc.nat(59), fc.nat(999))
    const two = (part: number): string => String(part).padStart(2, '0')
    fc.assert(
      fc.property(parts, ([days, hours, minutes, seconds, thousandths]) => {
        const told = `${days}-${two(hours)}:${two(minutes)}:${two(seconds)}.${String(thousandths).padStart(3, '0')}`
        const all = seconds + 60 * (minutes + 60 * (hours + 24 * days))
        expect(slurmSeconds(told)).toBe((all * 1000 + thousandths) / 1000)
      }),
    )
  })

  it.each([
    ['4000M', 4000 * 1024 ** 2],
    ['1.5T', 1.5 * 1024 ** 4],
    ['16Gn', 16 * 1024 ** 3],
    ['2Gc', 8 * 1024 ** 3],
    ['100', 102_400],
    ['None assigned', null],
    ['lots', undefined],
    ['999999999999999P', undefined],
  ])('%s are %j bytes, on 4 CPUs', (told, bytes) => {
    expect(slurmBytes(told, 'K', 4)).toBe(bytes)
  })

  it('is a whole number of bytes, of a size that can be counted, or nothing', () => {
    const sizes = fc.stringMatching(/^\d{1,16}(\.\d{1,7})?[KMGTP]?[cn]?$/)
    fc.assert(
      fc.property(sizes, fc.option(fc.nat(5000)), (told, cpus) => {
        const bytes = slurmBytes(told, 'M', cpus) ?? 0
        expect(Number.isSafeInteger(bytes)).toBe(true)
      }),
    )
  })

  it.each([
    ['4294967294', 4_294_967_294],
    ['N/A', null],
    ['-1', undefined],
    ['1.5', undefined],
  ])('%s counts %j', (told, count) => {
    expect(slurmCount(told)).toBe(count)
  })
})
