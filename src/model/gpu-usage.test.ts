import { describe, expect, it } from 'vitest'
import { usageOf } from '../../test/golden/render/crafted-records.ts'
import { cardsNotNamed, gpuReason, usedCards } from './gpu-usage.ts'
import { measured, unmeasured } from './measured.ts'

describe('the cards that a job used', () => {
  const cards = { gpuCards: measured(2, 'NVML'), gpuBusySeconds: measured(5, 'NVML') }
  const usage = (untouched: ReturnType<typeof measured>) => ({
    ...usageOf({}),
    ...cards,
    gpuCardsUntouched: untouched,
  })

  it('are those on which it was seen', () => {
    expect(usedCards(usage(measured(1, 'looks')))).toBe(1)
    // Without a word on which are its own, its cards are those on which it was seen.
    expect(usedCards(usage(unmeasured(cardsNotNamed)))).toBe(2)
  })

  it('are not known where nobody could see it on them', () => {
    const failed = usage(unmeasured('card 1 could not be read all the time: it is lost'))
    expect(usedCards(failed)).toBeNull()
    expect(gpuReason(failed)).toBe('card 1 could not be read all the time: it is lost')
  })
})
