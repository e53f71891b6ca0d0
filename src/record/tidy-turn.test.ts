import { describe, expect, it } from 'vitest'
import { isTurnToTidy } from './tidy-turn.ts'

describe('the turn to tidy the spool', () => {
  it('is that of one job in 32, by the beginning of its id', () => {
    const beginnings = Array.from({ length: 2 ** 16 }, (_, number) =>
      number.toString(16).padStart(4, '0'),
    )
    const turns = beginnings.filter((beginning) => isTurnToTidy(beginning.padEnd(32, '7')))
    expect(turns).toHaveLength(2 ** 16 / 32)
  })
})
