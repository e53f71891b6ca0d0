import { describe, expect, it } from 'vitest'
import { parseIgnoresChildren } from './status-signals.ts'

const status = (ignored: string): Uint8Array =>
  Buffer.from(
    `Name:\tsh\nSigBlk:\t0000000000010000\nSigIgn:\t${ignored}\nSigCgt:\tffffffffffffffff\n`,
  )

const parsed = (bytes: Uint8Array) => parseIgnoresChildren(bytes, bytes.length)

describe('parseIgnoresChildren', () => {
  it.each([
    ['0000000000010000', true],
    ['fffffffe7ffbfeff', true],
    ['0000000000001000', false],
    ['fffffffffffeffff', false],
    ['0000000000000000', false],
  ])('reads %s', (ignored, expected) => {
    expect(parsed(status(ignored))).toBe(expected)
  })

  it('says no where the line is missing or cut off', () => {
    expect(parsed(Buffer.from('Name:\tsh\n'))).toBe(false)
    expect(parsed(status('0000000000010000').subarray(0, 50))).toBe(false)
  })
})
