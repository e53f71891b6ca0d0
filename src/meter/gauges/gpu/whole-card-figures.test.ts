import { describe, expect, it } from 'vitest'
import { figuresOf, times, type Said } from '../../../../test/gpu/made-card.ts'
import { cardsLeftOut } from '../../../model/gpu-usage.ts'
import { throttledBy } from '../../../sensors/gpu/gpu-card.ts'

const busy: Said = { util: 100, ownBytes: 200, throttle: throttledBy.power, tensor: 90 }
/** Half of it is for others. */
const shared: Said = { ...busy, otherBytes: 200 }
const isShared = 'shared, and less than four fifths of the work was for this job'
const isUntold = 'shared, and how much of the work was for this job is not told'

describe('what only whole cards tell, of a job with two', () => {
  const besides = (other: Said) => figuresOf(...times(8, busy).map((said) => [said, other]))

  it('says which card is left out, and that sums may be more', () => {
    const figures = besides(shared)
    expect(figures['gpuPowerThrottledSeconds']).toEqual({
      value: 8,
      basis: `at least: NVML, looks added up; card 1 is left out (${isShared})`,
    })
    for (const key of ['gpuClockPercentMean', 'gpuTensorPercentMean', 'gpuSmActivePercentMean'])
      expect(figures[key], key).toMatchObject({
        value: key === 'gpuClockPercentMean' ? 100 : 90,
        basis: expect.stringMatching(
          new RegExp(`^(?!at least).*; card 1 is left out \\(${isShared}\\)$`),
        ),
      })
  })

  it('does not tell 0 s of what the card that is left out may have had', () => {
    expect(besides(shared)['gpuHeatThrottledSeconds']).toEqual({
      value: null,
      why: `card 1 is left out (${isShared})`,
    })
  })

  it.each([
    ['at every look', times(8, { ...shared, areSharesUntold: true })],
    ['at most looks', [...times(7, { ...shared, areSharesUntold: true }), shared]],
  ])('does not say whose work it was where its driver does not tell it %s', (_, looks) => {
    const figures = figuresOf(...looks.map((said) => [busy, said]))
    for (const key of ['gpuPowerThrottledSeconds', 'gpuClockPercentMean', 'gpuTensorPercentMean'])
      expect(figures[key], key).toMatchObject({
        basis: expect.stringMatching(new RegExp(`; card 1 is left out \\(${isUntold}\\)$`)),
      })
    expect(figuresOf(...looks)['gpuTensorPercentMean']).toEqual({
      value: null,
      why: `the card was ${isUntold}`,
    })
  })

  it('does not say it of a card that others used too and that does not tell its use, as parts of a divided one', () => {
    const part: Said = { ...shared, util: Number.NaN, areSharesUntold: true }
    const figures = figuresOf(...times(8, part))
    for (const key of ['gpuPowerThrottledSeconds', 'gpuClockPercentMean', 'gpuTensorPercentMean'])
      expect(figures[key], key).toEqual({ value: null, why: `the card was ${isUntold}` })
    const alone = figuresOf(...times(8, { ...part, otherBytes: undefined }))
    expect(alone['gpuTensorPercentMean']?.value).toBe(90)
  })

  it('says it where what is not told would not be enough', () => {
    const looks = [...times(1, { ...shared, areSharesUntold: true }), ...times(7, shared)]
    expect(figuresOf(...looks)['gpuTensorPercentMean']).toEqual({
      value: null,
      why: `the card was ${isShared}`,
    })
  })

  it('says that a card has no counters of what its units did', () => {
    const older: Said = { util: 100, ownBytes: 200, throttle: throttledBy.power }
    const figures = besides(older)
    expect(figures['gpuTensorPercentMean']).toMatchObject({
      value: 90,
      basis: expect.stringMatching(/; card 1 is left out \(the card has no counters for it\)$/),
    })
    expect(figures['gpuPowerThrottledSeconds']).toEqual({
      value: 16,
      basis: 'NVML, looks added up',
    })
  })

  it('is told without a card that the job hardly held, as of all of them', () => {
    const figuresWith = (brief: Said) =>
      figuresOf(...times(39, busy).map((said) => [said, {}]), [busy, brief])
    for (const brief of [{ ...busy, tensor: undefined }, shared]) {
      const figure = figuresWith(brief)['gpuTensorPercentMean']
      expect(figure).toEqual({
        value: 90,
        basis:
          'GPM counters of NVML while the job held the card; without card 1, which the job held for 1.0 s',
      })
      expect(cardsLeftOut(figure)).toEqual([])
    }
    // How long that was slowed down is missing from a sum all the same.
    expect(figuresWith(shared)['gpuPowerThrottledSeconds']).toMatchObject({
      value: 40,
      basis: expect.stringMatching(/^at least: /),
    })
  })

  it('has a reason of its own for each counter', () => {
    const figures = besides({ ...busy, nvlinkBytes: 5e9 })
    expect(figures['gpuTensorPercentMean']).toMatchObject({
      value: 90,
      basis: expect.not.stringContaining('left out'),
    })
    expect(figures['gpuNvlinkBytesPerSecondMean']).toMatchObject({
      value: 5e9,
      basis: expect.stringMatching(/; card 0 is left out \(the card does not count this\)$/),
    })
    expect(figures['gpuDramPercentMean']).toEqual({
      value: null,
      why: 'the card does not count this',
    })
  })

  it('does not take a card that the job never used for one that told nothing', () => {
    const figures = figuresOf(...times(8, shared).map((said) => [said, {}]))
    expect(figures['gpuTensorPercentMean']).toEqual({
      value: null,
      why: `the card was ${isShared}`,
    })
  })

  it('leaves out nothing where the job never used the other card', () => {
    expect(besides({})['gpuTensorPercentMean']).toEqual({
      value: 90,
      basis: 'GPM counters of NVML while the job held the card',
    })
  })
})
