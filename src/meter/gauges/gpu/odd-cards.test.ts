import { describe, expect, it } from 'vitest'
import { figuresByNvml, figuresOf, figuresOfTaken, times } from '../../../../test/gpu/made-card.ts'

const busy = { util: 80, watts: 400 }

describe('a card that works, though its driver lists no process on it', () => {
  const why = 'the card works, but its driver lists no process on it'

  it('was not unused, and did its work for the job that it was given to', () => {
    const figures = figuresOf(...times(10, busy))
    expect(figures['gpuCardsUntouched']).toEqual({
      value: null,
      why: `processes on a card are not told: ${why}`,
    })
    // In the first two seconds it might have been an echo of somebody who had just ended: it was not.
    expect(figures['gpuBusySeconds']?.value).toBeCloseTo(10 * 0.8)
    expect(figures['gpuBusySeconds']).toMatchObject({
      basis: expect.stringContaining('whole cards: whose work it was is not told'),
    })
  })

  it.each(['directly', 'by a process of its own'])(
    'was not either where it is asked %s',
    async (how) => {
      const looks = times(60, busy)
      const figures = how === 'directly' ? figuresOf(...looks) : await figuresByNvml(...looks)
      const untold = { value: null, why: `processes on a card are not told: ${why}` }
      for (const key of ['gpuCardsUntouched', 'gpuMemoryPeakBytes', 'gpu0OwnMemoryPeakBytes'])
        expect(figures[key], key).toEqual(untold)
      expect(figures['gpuBusySeconds']?.value).toBeCloseTo(60 * 0.8)
      expect(figures['gpuHeldSeconds']?.value).toBeCloseTo(60)
      expect(figures['gpuUtilizationPercentMean']?.value).toBeCloseTo(80)
    },
  )

  it('was not unused though it rests in the end', async () => {
    const figures = await figuresByNvml(...times(20, busy), ...times(20, { util: 0 }))
    expect(figures['gpuCardsUntouched']?.value).toBeNull()
    expect(figures['gpuMemoryPeakBytes']?.value).toBeNull()
    expect(figures['gpuBusySeconds']?.value).toBeCloseTo(16)
  })

  it('may have been used by a job that was over before that could be told', async () => {
    const figures = await figuresByNvml(busy, busy)
    for (const key of [
      'gpuCardsUntouched',
      'gpuBusySeconds',
      'gpuHeldSeconds',
      'gpuMemoryPeakBytes',
    ])
      expect(figures[key]?.value, key).toBeNull()
  })

  it('was unused where that was the echo of somebody before', async () => {
    const figures = await figuresByNvml(busy, ...times(5, { util: 0 }))
    expect(figures['gpuCardsUntouched']?.value).toBe(1)
    expect(figures['gpuBusySeconds']?.value).toBe(0)
  })

  it.each([1, 2])('was used in bursts of %d of 3 s', async (busySeconds) => {
    const burst = [...times(busySeconds, busy), ...times(3 - busySeconds, { util: 0 })]
    const looks = Array.from({ length: 20 }, () => burst).flat()
    for (const figures of [figuresOf(...looks), await figuresByNvml(...looks)]) {
      const untold = { value: null, why: `processes on a card are not told: ${why}` }
      for (const key of ['gpuCardsUntouched', 'gpuMemoryPeakBytes'])
        expect(figures[key], key).toEqual(untold)
      expect(figures['gpuBusySeconds']?.value).toBeCloseTo(20 * busySeconds * 0.8)
      expect(figures['gpuUtilizationPercentPeak']?.value).toBe(80)
      // Who rests on it is not listed either.
      expect(figures['gpuHeldSeconds']).toEqual({
        value: expect.closeTo(20 * busySeconds) as number,
        basis: expect.stringMatching(new RegExp(`^at least: .*; ${why}$`)) as string,
      })
    }
  })

  it('was used in short bursts beside a long one', () => {
    const rest = times(5, { util: 0 })
    const figures = figuresOf(...rest, busy, ...rest, ...times(10, busy), ...rest, busy, ...rest)
    expect(figures['gpuBusySeconds']?.value).toBeCloseTo(12 * 0.8)
  })

  it('worked at its peak no less than on average, though it was known only later for whom', () => {
    const rest = times(5, { util: 0 })
    const figures = figuresOf(busy, busy, ...rest.slice(0, 1), ...times(3, { ...busy, util: 10 }))
    expect(figures['gpuUtilizationPercentPeak']).toEqual({
      value: figures['gpuUtilizationPercentMean']?.value,
      basis: expect.stringMatching(
        /^at least: .*; the peak is at least the mean; no single look showed as much$/,
      ) as string,
    })
  })

  it('may have been used where it worked once, and nobody had been on it', () => {
    const rest = times(5, { util: 0 })
    const once = figuresOf(...rest, busy, ...rest)
    for (const key of ['gpuCardsUntouched', 'gpuBusySeconds', 'gpuUtilizationPercentPeak'])
      expect(once[key]?.value, key).toBeNull()
    const besides = figuresOf(...times(5, { ...busy, ownBytes: 10 }), ...rest, busy, ...rest)
    expect(besides['gpuBusySeconds']).toEqual({
      value: expect.closeTo(5 * 0.8) as number,
      basis: `at least: NVML, looks added up; ${why}`,
    })
    expect(besides['gpuCardsUntouched']?.value).toBe(0)
  })

  it('was unused where that was the echo of others who had just ended', () => {
    const rest = times(5, { util: 0 })
    const others = times(5, { ...busy, otherBytes: 10 })
    for (const echo of [times(1, busy), times(2, busy)]) {
      const figures = figuresOf(...rest, ...others, ...echo, ...rest)
      expect(figures['gpuCardsUntouched']?.value).toBe(1)
      expect(figures['gpuBusySeconds']?.value).toBe(0)
    }
  })

  it('makes what a process held a lower bound that is listed only later', async () => {
    const figures = await figuresByNvml(...times(10, busy), ...times(10, { ...busy, ownBytes: 10 }))
    expect(figures['gpuCardsUntouched']?.value).toBe(0)
    expect(figures['gpuMemoryPeakBytes']).toMatchObject({
      value: 10,
      basis: expect.stringMatching(new RegExp(`^at least: .*; ${why}$`)),
    })
  })

  it('is not one whose last process has just ended', () => {
    const own = { ...busy, ownBytes: 10 }
    const figures = figuresOf(...times(5, own), busy, ...times(5, { util: 0 }))
    expect(figures['gpuBusySeconds']?.value).toBeCloseTo(4)
    expect(figures['gpuCardsUntouched']?.value).toBe(0)
  })

  it('is nobody’s who has not been given it', () => {
    expect(figuresOfTaken(...times(10, busy))['gpuCards']?.value).toBe(0)
  })
})

describe('an energy counter that tells what cannot be', () => {
  it('is not believed once it was set back: what the card drew goes by its power', () => {
    const looks = Array.from({ length: 20 }, (_, second) => ({
      ...busy,
      ownBytes: 10,
      joules: 5000 + second * 400 - (second >= 10 ? 1000 : 0),
    }))
    const figures = figuresOf(...looks)
    expect(figures['gpuEnergyJoules']?.value).toBeCloseTo(20 * 400)
    expect(figures['gpuPowerWattsMean']?.value).toBeCloseTo(400)
  })

  it('raises the peak of power where it counts more than any look saw', () => {
    const looks = Array.from({ length: 20 }, (_, second) => ({
      ...busy,
      watts: 100,
      ownBytes: 10,
      joules: 5000 + second * 400,
    }))
    const figures = figuresOf(...looks)
    const mean = figures['gpu0PowerWattsMean']?.value ?? 0
    expect(mean).toBeGreaterThan(300)
    expect(figures['gpu0PowerWattsPeak']).toMatchObject({
      value: mean,
      basis: expect.stringMatching(/^at least: /),
    })
  })
})
