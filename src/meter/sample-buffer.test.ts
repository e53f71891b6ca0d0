import { describe, expect, it } from 'vitest'
import { Pace } from './pace.ts'
import { SampleBuffer } from './sample-buffer.ts'

/** When each sample was taken and when it was given out, as long as looks come on time. */
function heldSeconds(intervalSeconds: number): number[] {
  const held: number[] = []
  let now = 0
  const buffer = new SampleBuffer(
    (rows, count) => {
      for (let row = 0; row < count; row += 1) held.push(now - (rows[row] ?? 0))
    },
    ['elapsed_seconds'],
  )
  const pace = new Pace(intervalSeconds)
  while (now < 20) {
    // A look is always a little late.
    now = pace.nextAtSeconds + 0.0005
    buffer.add(Float64Array.of(now), now)
    pace.looked(now)
    buffer.flushBefore(pace.nextAtSeconds)
  }
  return held
}

describe('samples on their way to who keeps them', () => {
  it.each([0.01, 0.1, 0.2, 0.25, 0.5, 0.7, 1, 2, 5, 10])(
    'are held for half a second at most, with looks every %d s',
    (intervalSeconds) => {
      const held = heldSeconds(intervalSeconds)
      expect(held.length).toBeGreaterThan(1)
      expect(Math.max(...held)).toBeLessThanOrEqual(0.5)
    },
  )

  it('are gathered where they come often', () => {
    let writes = 0
    const buffer = new SampleBuffer(() => (writes += 1), ['elapsed_seconds'])
    for (let look = 1; look <= 100; look += 1) {
      buffer.add(Float64Array.of(look / 10), look / 10)
      buffer.flushBefore((look + 1) / 10)
    }
    expect(writes).toBeLessThanOrEqual(20)
  })
})
