import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes } from '../../../test/fixtures/procfs/fixture.ts'
import { anyCount } from '../../../test/fixtures/procfs/honest.ts'
import { parseNumberFile } from './number-file.ts'

const parsed = (content: Uint8Array): number => parseNumberFile(content, content.length)

describe('parseNumberFile', () => {
  it('reads back any number', () => {
    fc.assert(
      fc.property(anyCount, (number) => {
        expect(parsed(bytes(`${number}\n`))).toBe(number)
      }),
    )
  })

  it('reads "max" as no limit', () => {
    expect(parsed(bytes('max\n'))).toBe(Number.POSITIVE_INFINITY)
  })

  it.each(['', '\n', '12', '-1\n', 'maximum\n', '1\n2\n', `${'9'.repeat(40)}\n`])(
    'does not take %j',
    (content) => {
      expect(parsed(bytes(content))).toBeNaN()
    },
  )

  it('is never negative', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (content) => {
        expect(parsed(content) < 0).toBe(false)
      }),
    )
  })
})
