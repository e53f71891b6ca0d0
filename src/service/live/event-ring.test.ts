import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventRing } from './event-ring.ts'

const event = { kind: 'reset' } as const

describe('the latest events', () => {
  it('are given to who was away, or he is told that some are missing', () => {
    const lengths = fc.array(fc.nat(30), { maxLength: 100 })
    const room = fc.record({ mostEvents: fc.nat(40), mostCharacters: fc.nat(400) })
    fc.assert(
      fc.property(lengths, room, fc.nat(100), (texts, given, asked) => {
        let length = 0
        const ring = new EventRing('boot', given, () => 'x'.repeat(length))
        const told = texts.map((next) => {
          length = next
          return ring.add(event)
        })
        const held: number[] = []
        for (let sum = 0, index = texts.length - 1; index >= 0; index -= 1) {
          sum += texts[index] ?? 0
          if (held.length === given.mostEvents || sum > given.mostCharacters) break
          held.push(index)
        }
        const isHeld = asked <= texts.length && asked >= texts.length - held.length
        expect(ring.after(`boot.${asked}`)).toEqual(isHeld ? told.slice(asked) : undefined)
      }),
    )
  })

  it.each(['', 'boot', 'boot.', 'boot.x', 'other.1', '.1', 'boot.9999999999999999', 'boot.-1'])(
    'were never told as %j',
    (id) => {
      const ring = new EventRing('boot', { mostEvents: 9, mostCharacters: 99 }, () => '')
      ring.add(event)
      expect(ring.after(id)).toBeUndefined()
      expect(ring.after('boot.1')).toEqual([])
      expect(ring.after('boot.0')).toHaveLength(1)
    },
  )
})
