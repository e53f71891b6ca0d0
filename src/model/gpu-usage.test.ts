import { describe, expect, it } from 'vitest'
import { usageOf } from '../../test/golden/render/crafted-records.ts'
import { cardsNotNamed, gpuReason, usedCards } from './gpu-usage.ts'
import { measured, unmeasured } from './measured.ts'
import { notAskedFor } from './metrics.ts'
import { emptyUsage } from './usage.ts'

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

  it('are not known of a job at which nobody looked, for the reason of that', () => {
    expect(gpuReason(emptyUsage('monitoring was turned off'))).toBe('monitoring was turned off')
    const short = { ...emptyUsage('it ended too soon'), memoryPeakBytes: measured(1, 'wait4') }
    expect(gpuReason(short)).toBe('it was over before GPUs were looked at')
    // GPUs alone were asked for, and it was over too soon for them.
    expect(gpuReason(emptyUsage(notAskedFor))).toBe('it was over before GPUs were looked at')
  })
})
