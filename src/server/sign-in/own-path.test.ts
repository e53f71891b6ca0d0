import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ownPath } from './own-path.ts'

const address = new URL('https://meter.test:8443')

describe('ownPath', () => {
  it.each([
    ['/jobs?name=a', '/jobs?name=a'],
    ['jobs', '/jobs'],
    ['https://meter.test:8443/jobs', '/jobs'],
    ['https://meter.test:8443//evil.test', '/evil.test'],
    ['/.//evil.test', '/evil.test'],
    ['/a/..//evil.test/x', '/evil.test/x'],
    ['/.\\\\evil.test', '/evil.test'],
    ['/\t//evil.test', '/'],
    ['/.\t//evil.test', '/evil.test'],
    ['/\\evil.test', '/'],
    ['//evil.test', '/'],
    ['https://meter.test', '/'],
    ['javascript:alert(1)', '/'],
    ['blob:https://meter.test:8443/a', '/https://meter.test:8443/a'],
  ])('%j is %s', (next, path) => expect(ownPath(next, address)).toBe(path))

  it('leads nowhere else, whatever is asked for', () => {
    const pieces = ['/', '\\', '.', '..', '\t', '\n', ' ', '@', ':', '?', '#', '%2f', '%5c', 'a']
    const piece = fc.constantFrom(...pieces, 'evil.test', 'https:', 'blob:', address.origin)
    const next = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((all) => all.join('')),
      fc.webUrl(),
    )
    fc.assert(
      fc.property(next, (asked) => {
        const path = ownPath(asked, address)
        expect(path).toMatch(/^\//)
        expect(new URL(path, address).origin).toBe(address.origin)
      }),
      { seed: 14, numRuns: 5_000 },
    )
  })
})
