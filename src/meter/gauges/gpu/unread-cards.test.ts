import { describe, expect, it } from 'vitest'
import { figuresOf, figuresOfTaken, times, type Said } from '../../../../test/gpu/made-card.ts'

const busy: Said = { util: 80, watts: 300, ownBytes: 200, ecc: 0 }
const lost = { fails: 'the GPU is lost' }
const basisOf = (figure: unknown): string => String((figure as { basis?: string }).basis)
const why = 'could not be read after 12 s: the GPU is lost'

describe('a card that fails half-way', () => {
  const figures = figuresOf(...times(12, busy), ...times(8, lost))

  it('has means of the time in which it was read, which are no lower bounds', () => {
    const means = {
      gpuUtilizationPercentMean: 80,
      gpuPowerWattsMean: 300,
      gpuClockPercentMean: 100,
      gpu0UtilizationPercentMean: 80,
      gpu0MemoryUtilizationPercentMean: 40,
      gpu0PowerWattsMean: 300,
    }
    for (const [key, value] of Object.entries(means)) {
      expect(figures[key]?.value, key).toBeCloseTo(value)
      expect(basisOf(figures[key]), key).toMatch(/^(?!at least).*; card 0 was read for 12 of 20 s/)
    }
    expect(basisOf(figures['gpuUtilizationPercentMean'])).toBe(
      `NVML, mean over the time in which it was read; card 0 was read for 12 of 20 s: it ${why}`,
    )
  })

  it('has sums and peaks that are lower bounds', () => {
    const bounds = {
      gpuBusySeconds: 9.6,
      gpuHeldSeconds: 12,
      gpuEnergyJoules: 3600,
      gpuMemoryPeakBytes: 200,
      gpuUtilizationPercentPeak: 80,
      gpu0BusySeconds: 9.6,
      gpu0EnergyJoules: 3600,
      gpu0PowerWattsPeak: 300,
      gpu0MemoryUsedPeakBytes: 500,
      gpu0OwnMemoryPeakBytes: 200,
    }
    for (const [key, value] of Object.entries(bounds)) {
      expect(figures[key]?.value, key).toBeCloseTo(value)
      expect(basisOf(figures[key]), key).toMatch(`; card 0 ${why}`)
      expect(basisOf(figures[key]), key).toMatch(/^at least: /)
    }
  })

  it('has as much memory as it has', () => {
    expect(basisOf(figures['gpu0MemoryTotalBytes'])).toBe(
      'nvidia card 0: NVIDIA H200 (GPU-0), NVML',
    )
  })

  it('is not said to have had no errors, nor to have been left unused', () => {
    const reason = expect.stringContaining(why) as string
    expect(figures['gpu0EccErrors']).toEqual({ value: null, why: reason })
    const never = figuresOf(...times(3, {}), ...times(3, lost))
    expect(never['gpuCardsUntouched']).toMatchObject({ value: null })
    expect(never['gpuBusySeconds']).toMatchObject({ value: null })
    expect(never['gpu0OwnMemoryPeakBytes']).toMatchObject({ value: null })
  })

  it('keeps the errors that it told of', () => {
    const some = figuresOf(...times(3, busy), ...times(3, { ...busy, ecc: 2 }), ...times(3, lost))
    expect(some['gpu0EccErrors']).toMatchObject({ value: 2 })
    expect(basisOf(some['gpu0EccErrors'])).toMatch(/^at least: /)
  })
})

describe('a card that comes back', () => {
  const counted = (joules: number): Said => ({ ...busy, joules })
  const why3 = 'could not be read for 3.0 s: no answer'

  it('says for how long it was not read', () => {
    const figures = figuresOf(
      ...times(4, busy),
      ...times(3, { fails: 'no answer' }),
      ...times(3, busy),
    )
    expect(figures['gpuBusySeconds']?.value).toBeCloseTo(5.6)
    expect(basisOf(figures['gpuBusySeconds'])).toMatch(`; card 0 ${why3}`)
    expect(basisOf(figures['gpuBusySeconds'])).toMatch(/^at least: /)
    expect(figures['gpu0UtilizationPercentMean']?.value).toBeCloseTo(80)
    expect(basisOf(figures['gpu0UtilizationPercentMean'])).toMatch(
      `; card 0 was read for 7.0 of 10 s: it ${why3}`,
    )
    expect(figures['gpu0PowerWattsMean']?.value).toBeCloseTo(300)
  })

  it('has all its energy, if a counter tells it', () => {
    const figures = figuresOf(
      counted(1000),
      ...times(3, { fails: 'no answer' }),
      ...times(6, counted(4000)),
    )
    expect(basisOf(figures['gpu0EnergyJoules'])).not.toMatch(/at least/)
    expect(figures['gpu0EnergyJoules']?.value).toBeCloseTo(3300)
    expect(figures['gpu0PowerWattsMean']?.value).toBeCloseTo(330)
  })
})

describe('a card that is first read after a while', () => {
  it('drew at least what its counter says since', () => {
    const looks = [1, 2, 3, 4, 5, 6].map((at) => ({ ...busy, joules: 5000 + 300 * at }))
    const figures = figuresOf(...times(3, { fails: 'no answer' }), ...looks)
    const first = 'card 0 was first read after 3.0 s'
    for (const key of ['gpuEnergyJoules', 'gpu0EnergyJoules']) {
      expect(figures[key]?.value, key).toBeCloseTo(1800)
      expect(basisOf(figures[key]), key).toMatch(new RegExp(`^at least: .*; ${first}$`))
    }
    for (const key of ['gpuPowerWattsMean', 'gpu0PowerWattsMean']) {
      expect(figures[key]?.value, key).toBeCloseTo(300)
      expect(basisOf(figures[key]), key).toMatch(
        /^(?!at least).*; card 0 was read for 6.0 of 9.0 s: it was first read after 3.0 s$/,
      )
    }
  })
})

describe('one of two cards that was never read', () => {
  it('is not counted as idle', () => {
    const figures = figuresOf(...times(20, busy).map((said) => [said, lost]))
    expect(figures['gpuUtilizationPercentMean']?.value).toBeCloseTo(80)
    expect(basisOf(figures['gpuUtilizationPercentMean'])).toMatch(
      /; card 1 was read for 0.0 of 20 s: it could not be read after 0.0 s: the GPU is lost$/,
    )
    expect(figures['gpu1UtilizationPercentMean']).toEqual({
      value: null,
      why: 'it could not be read after 0.0 s: the GPU is lost',
    })
  })
})

describe('a card that is left alone so that it can fall asleep', () => {
  const idle: Said = { util: 0, watts: 20 }
  const alone: Said = { rests: 'left alone' }

  it('is not known to have been idle', () => {
    const others = { util: 50, otherBytes: 10 }
    const figures = figuresOf(...times(6, idle), ...times(6, alone), ...times(8, others))
    expect(figures['gpu0UtilizationPercentMean']?.value).toBeCloseTo((8 * 50) / 14)
    expect(basisOf(figures['gpu0UtilizationPercentMean'])).toMatch(
      /; card 0 was read for 14 of 20 s: it was left alone for 6.0 s, so that it could fall asleep$/,
    )
    expect(figures['gpuBusySeconds']).toEqual({
      value: null,
      why: 'card 0 was left alone for 6.0 s, so that it could fall asleep',
    })
    expect(figures['gpuUtilizationPercentMean']?.value).toBe(0)
    expect(basisOf(figures['gpuUtilizationPercentMean'])).toMatch('card 0 was read for 14 of 20 s')
    expect(figures['gpu0EnergyJoules']?.value).toBe(6 * 20 + 8 * 100)
    expect(basisOf(figures['gpu0EnergyJoules'])).toMatch(/^at least: /)
  })

  it('was idle if it fell asleep', () => {
    const figures = figuresOf(
      ...times(6, idle),
      ...times(6, alone),
      ...times(8, { rests: 'asleep' }),
    )
    expect(figures['gpu0UtilizationPercentMean']).toMatchObject({ value: 0 })
    expect(basisOf(figures['gpu0UtilizationPercentMean'])).not.toMatch('left alone')
    expect(figures['gpuBusySeconds']).toMatchObject({ value: 0 })
  })

  it('is not said to have been left unused, where nobody looked at its processes', () => {
    const left = 'card 0 was left alone for 6.0 s, so that it could fall asleep'
    for (const looks of [times(6, alone), [...times(2, idle), ...times(6, alone), idle]])
      expect(figuresOf(...looks)['gpuCardsUntouched']).toEqual({ value: null, why: left })
    const slept = figuresOf(...times(6, alone), { rests: 'asleep' })
    expect(slept['gpuCardsUntouched']).toMatchObject({ value: 1 })
    const used = figuresOf(...times(6, alone), busy)
    expect(used['gpuCardsUntouched']).toMatchObject({ value: 0 })
  })
})

describe('a card that does not always tell its power', () => {
  it('drew at least what it told of', () => {
    const figures = figuresOf(...times(6, busy), ...times(4, { ...busy, watts: Number.NaN }))
    const told = 'card 0 did not tell its power for 4.0 s'
    expect(figures['gpu0EnergyJoules']).toMatchObject({ value: 1800 })
    expect(basisOf(figures['gpu0EnergyJoules'])).toMatch(new RegExp(`^at least: .*; ${told}$`))
    expect(figures['gpuPowerWattsMean']?.value).toBeCloseTo(300)
    expect(basisOf(figures['gpuPowerWattsMean'])).toMatch(/^(?!at least).*read for 6.0 of 10 s/)
  })
})

describe('a card that does not always tell how busy it is', () => {
  const silent = { ...busy, util: Number.NaN }

  it('has a mean that says for how long it was told, and a peak that is a lower bound', () => {
    const figures = figuresOf(...times(6, busy), ...times(4, silent))
    expect(figures['gpu0UtilizationPercentMean']?.value).toBeCloseTo(80)
    expect(basisOf(figures['gpu0UtilizationPercentMean'])).toMatch(
      /^(?!at least).*; card 0 was read for 6.0 of 10 s: it did not tell how busy it was for 4.0 s$/,
    )
    expect(figures['gpu0UtilizationPercentPeak']).toMatchObject({
      value: 80,
      basis: expect.stringMatching(/^at least: .*; card 0 did not tell how busy it was for 4.0 s$/),
    })
  })

  it('has neither where it never does', () => {
    const figures = figuresOf(...times(6, silent))
    const never = expect.stringContaining('did not tell how busy it was for 6.0 s') as string
    for (const key of ['gpu0UtilizationPercentMean', 'gpu0UtilizationPercentPeak'])
      expect(figures[key], key).toEqual({ value: null, why: never })
  })
})

describe('a card that a job takes without having been given it', () => {
  const held: Said = { util: 80, watts: 300, ownBytes: 200 }
  const ofOthers: Said = { util: 80, watts: 500, otherBytes: 200 }

  it('draws nothing for the job while that does not hold it', () => {
    const figures = figuresOfTaken(...times(5, held), ...times(55, ofOthers))
    expect(figures['gpuEnergyJoules']?.value).toBeCloseTo(5 * 300)
    expect(basisOf(figures['gpuEnergyJoules'])).toBe('NVML, whole cards while it held them')
    expect(figures['gpuPowerWattsMean']?.value).toBeCloseTo(25)
    expect(figures['gpu0EnergyJoules']?.value).toBeCloseTo(5 * 300 + 55 * 500)
  })

  it('draws for the job what its counter says, divided by its power at the looks', () => {
    const counting = (said: Said, from: number, count: number): Said[] =>
      Array.from({ length: count }, (_, at) => ({
        ...said,
        joules: from + (at + 1) * (said.watts ?? 0),
      }))
    const figures = figuresOfTaken(...counting(held, 0, 10), ...counting(ofOthers, 3000, 10))
    expect(figures['gpuEnergyJoules']?.value).toBeCloseTo(3000)
  })

  it('draws all that it draws for a job that is alone on it', () => {
    const idle: Said = { util: 0, watts: 100 }
    const figures = figuresOfTaken(...times(5, idle), ...times(5, held))
    expect(figures['gpuEnergyJoules']).toMatchObject({ value: 2000, basis: 'NVML, whole cards' })
  })

  it('draws all that it draws for one that it was given to', () => {
    const idle: Said = { util: 0, watts: 100 }
    const figures = figuresOf(...times(5, held), ...times(5, idle))
    expect(figures['gpuEnergyJoules']).toMatchObject({ value: 2000, basis: 'NVML, whole cards' })
  })
})

describe('a card of which nobody tells the processes', () => {
  it('says that its figures are of the whole card', () => {
    const untold = 'nvidia-smi does not tell of processes'
    const figures = figuresOf(...times(5, { util: 40, untold }))
    for (const key of ['gpuUtilizationPercentMean', 'gpuBusySeconds', 'gpuHeldSeconds'])
      expect(basisOf(figures[key]), key).toMatch(
        /^NVML, whole cards: whose work it was is not told/,
      )
  })
})
