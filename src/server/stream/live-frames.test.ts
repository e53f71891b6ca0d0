import { describe, expect, it } from 'vitest'
import type { LiveEvent, ToldEvent } from '../../model/live.ts'
import { ownerOfAll, plainUser } from '../access/viewer.ts'
import { mostUnreadBytes } from './event-stream.ts'
import { LiveFrames } from './live-frames.ts'

const told = (user: string, number: number, text = '{}'): ToldEvent => ({
  id: `boot.${number}`,
  event: { kind: 'samples', user } as LiveEvent,
  text,
})

describe('LiveFrames', () => {
  const events = [told('ada', 1), told('eve', 2), told('ada', 3)]
  const frames = new LiveFrames()

  it('has of the events those that a viewer may see, and counts no others', () => {
    const ofAda = frames.of(events, plainUser('ada'))
    expect(ofAda?.count).toBe(2)
    expect(new TextDecoder().decode(ofAda?.bytes)).not.toContain('boot.2')
    expect(frames.of(events, ownerOfAll('root'))?.count).toBe(3)
    expect(frames.of(events, plainUser('bob'))).toBeNull()
  })

  it('is one word where it would be too much to read', () => {
    const long = [told('ada', 1), told('ada', 2, 'x'.repeat(mostUnreadBytes))]
    const made = frames.of(long, plainUser('ada'))
    expect(made?.count).toBe(1)
    expect(new TextDecoder().decode(made?.bytes)).toBe('id: boot.2\nevent: reset\ndata: {}\n\n')
  })
})
