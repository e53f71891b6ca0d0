import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, procfsFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest, anyCount } from '../../../test/fixtures/procfs/honest.ts'
import { parseIo, ProcessIo } from './io.ts'

const parsed = (content: Uint8Array): ProcessIo | false => {
  const into = new ProcessIo()
  return parseIo(content, content.length, into) && into
}

describe('parseIo', () => {
  it('reads a captured file', () => {
    const io = parsed(procfsFixture('io-6.18-sleep'))
    expect(io && io.readChars).toBeGreaterThan(0)
    expect(io).toMatchObject({ writeBytes: 0, cancelledWriteBytes: 0 })
  })

  it('does not take a file that lacks a line', () => {
    expect(parsed(bytes('rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\n'))).toBe(false)
  })

  it('reads back what was written', () => {
    fc.assert(
      fc.property(fc.array(anyCount, { minLength: 7, maxLength: 7 }), (numbers) => {
        const [a, b, c, d, e, f, g] = numbers
        const content =
          `rchar: ${a}\nwchar: ${b}\nsyscr: ${c}\nsyscw: ${d}\n` +
          `read_bytes: ${e}\nwrite_bytes: ${f}\ncancelled_write_bytes: ${g}\n`
        const io = parsed(bytes(content))
        expect(io && Object.values(io)).toEqual(numbers)
      }),
    )
  })

  it('is honest about garbage', () => {
    checkHonest(parseIo, () => new ProcessIo(), [procfsFixture('io-6.18-sleep')])
  })
})
