import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usageOf } from '../../../test/golden/render/crafted-records.ts'
import { cardLeftOut, nobodyListed, type GpuKey } from '../../model/gpu-usage.ts'
import { atLeast, measured, type Measured } from '../../model/measured.ts'
import type { Usage } from '../../model/usage.ts'
import { gpuBoundBy, type GpuVerdict } from './gpu-bound.ts'

const seconds = 100

/** A job that held one card all the time. */
function verdict(
  figures: { readonly [Key in GpuKey]?: number | Measured | undefined },
  busyCores = 1,
  ioPressureSeconds = 0,
): GpuVerdict | undefined {
  const known = { gpuCards: 1, gpuHeldSeconds: seconds, ...figures }
  const usage = {
    ...usageOf({ ioPressureSeconds }),
    ...Object.fromEntries(
      Object.entries(known).flatMap(([key, value]) =>
        value === undefined
          ? []
          : [[key, typeof value === 'number' ? measured(value, 'NVML') : value]],
      ),
    ),
  } as Usage
  return gpuBoundBy(usage, seconds, busyCores)
}

/** As measured on an H200, one second each. */
const matrixProduct = {
  gpuBusySeconds: 99,
  gpuSmActivePercentMean: 95.6,
  gpuSmOccupancyPercentMean: 14.1,
  gpuTensorPercentMean: 92.7,
  gpuDramPercentMean: 16.1,
}
const stream = {
  gpuBusySeconds: 98,
  gpuSmActivePercentMean: 96.2,
  gpuSmOccupancyPercentMean: 82,
  gpuTensorPercentMean: 0,
  gpuDramPercentMean: 84.7,
}
const tinyKernels = {
  gpuBusySeconds: 21,
  gpuSmActivePercentMean: 0.03,
  gpuSmOccupancyPercentMean: 0,
  gpuTensorPercentMean: 0,
  gpuDramPercentMean: 0,
}

/** Others were on the card all the time, and somebody kept it busy. */
const sharedBusily = { gpuHeldUtilizationPercentMean: 98, gpuSharedSeconds: seconds }

const slowedDown = { gpuPowerThrottledSeconds: 90, gpuClockPercentMean: 60 }

describe('what a card was bound by', () => {
  it.each([
    ['gpu-tensor', matrixProduct],
    ['gpu-memory', stream],
    ['gpu-launches', tinyKernels],
    ['gpu-arithmetic', { ...stream, gpuDramPercentMean: 5, gpuFp32PercentMean: 80 }],
    ['gpu-data-loading', { gpuBusySeconds: 15, gpuSmActivePercentMean: 12 }],
    ['gpu-transfers', { gpuBusySeconds: 15, gpuPcieBytesPerSecondMean: 20e9 }],
    ['gpu-transfers', { gpuBusySeconds: 15, gpuNvlinkBytesPerSecondMean: 100e9 }],
    ['gpu-heat', { ...matrixProduct, gpuHeatThrottledSeconds: 50 }],
    ['gpu-heat', { ...matrixProduct, ...slowedDown, gpuHeatThrottledSeconds: 50 }],
    ['gpu-tensor', { ...matrixProduct, ...slowedDown }],
    ['gpu-memory', { ...stream, ...slowedDown }],
    ['gpu-power', { ...matrixProduct, ...slowedDown, gpuTensorPercentMean: 20 }],
    ['gpu-power', { gpuBusySeconds: 98, ...slowedDown }],
    ['gpu-shared', { ...sharedBusily, gpuBusySeconds: 50 }],
    ['gpu-shared', { ...sharedBusily, gpuBusySeconds: 70 }],
    ['gpu-shared', { ...sharedBusily, gpuBusySeconds: 5 }],
    ['gpu-tensor', { ...matrixProduct, ...sharedBusily }],
    ['gpu', { gpuBusySeconds: 15, gpuHeldUtilizationPercentMean: 98 }],
    ['gpu-data-loading', { gpuBusySeconds: 47, gpuHeldUtilizationPercentMean: 52 }],
    ['gpu-data-loading', { gpuBusySeconds: 15, gpuHeldUtilizationPercentMean: 30 }],
    ['gpu', { gpuBusySeconds: 98 }],
    ['gpu', { ...matrixProduct, gpuTensorPercentMean: 20 }],
  ] as const)('is %s', (kind, figures) => {
    expect(verdict(figures)?.kind).toBe(kind)
  })

  it('is told with its evidence', () => {
    expect(verdict(matrixProduct)?.sentence).toBe(
      'GPU bound by its tensor units: in use 93 % of the time (its memory bandwidth 16 %); the card worked 99 %.',
    )
    expect(verdict({ ...matrixProduct, ...slowedDown })?.sentence).toMatch(
      /the card worked 99 %\. Its power limit held its clock at 60 %\.$/,
    )
    expect(verdict(tinyKernels)?.sentence).toBe(
      'GPU bound by kernel launches: a kernel ran 21 % of the time, but less than 1 % of its multiprocessors had work. Many kernels are too small for the card.',
    )
  })

  it('is told of the time in which the job held the card, where that was a part of it', () => {
    expect(verdict({ gpuBusySeconds: 4, gpuHeldSeconds: 20 })?.sentence).toBe(
      'GPU waits for data: it worked 20 % of the 20 s that the job held it, while the job kept 1.0 cores busy.',
    )
    expect(verdict({ ...sharedBusily, gpuBusySeconds: 49 })?.sentence).toBe(
      'GPU shared with others: it worked 98 % of the time, for this job 49 %.',
    )
  })

  it('is not made of what may be more', () => {
    const busy = atLeast(45, 'DRM fdinfo')
    const held = { gpuBusySeconds: busy, gpuHeldUtilizationPercentMean: 90 }
    expect(verdict({ ...held, gpuSharedSeconds: seconds })).toBeUndefined()
    expect(verdict(held, 0.01)).toBeUndefined()
    expect(verdict({ gpuBusySeconds: busy }, 0.01)).toBeUndefined()
    // The whole card did little: so did the job on it.
    const little = { gpuBusySeconds: atLeast(5, 'DRM fdinfo'), gpuHeldUtilizationPercentMean: 20 }
    expect(verdict(little)?.kind).toBe('gpu-data-loading')
    expect(verdict(little, 0.01)?.kind).toBe('gpu-idle')
    expect(verdict({ ...stream, gpuBusySeconds: atLeast(98, 'NVML') })?.kind).toBe('gpu-memory')
    // What it did for half of the time says nothing of the other half.
    const read = 'NVML; card 0 was read for 50 of 100 s: the GPU driver did not answer for 50 s'
    const inPart = { ...little, gpuHeldUtilizationPercentMean: measured(10, read) }
    expect(verdict(inPart, 0.01)).toBeUndefined()
  })

  it('is told with the most that the card may have worked for the job', () => {
    const little = { gpuBusySeconds: atLeast(5, 'DRM fdinfo'), gpuHeldUtilizationPercentMean: 20 }
    expect(verdict(little)?.sentence).toBe(
      'GPU waits for data: it worked 5 to 20 % of the time, while the job kept 1.0 cores busy.',
    )
    expect(verdict({ gpuBusySeconds: atLeast(60, 'DRM fdinfo') })?.sentence).toMatch(
      /^GPU-bound: it worked 60 to 100 % of the time;/,
    )
    const heat = { ...matrixProduct, gpuHeatThrottledSeconds: atLeast(50, 'NVML') }
    expect(verdict(heat)?.sentence).toMatch(/it ran slower at least 50 % of the time/)
  })

  it('is told of the time in which the job was seen to hold the card, or cards', () => {
    const part = { gpuBusySeconds: 4, gpuHeldSeconds: atLeast(20, 'NVML') }
    expect(verdict(part)?.sentence).toMatch(
      /20 % of the 20 s in which the job was seen to hold it,/,
    )
    const two = { gpuBusySeconds: 11, gpuHeldSeconds: 110, gpuCards: 2 }
    expect(verdict(two)?.sentence).toMatch(/10 % of the 55 s that the job held a card, on average,/)
  })

  it('is told with the least that it may have worked where nobody is listed who rests on it', () => {
    const seen = (heldSeconds: number, busySeconds: number) => ({
      gpuHeldSeconds: atLeast(heldSeconds, `NVML; ${nobodyListed}`),
      gpuHeldUtilizationPercentMean: 90,
      gpuBusySeconds: busySeconds,
    })
    // The card worked 36 % of all the time, in bursts: whether the job held it in between nobody knows.
    expect(verdict(seen(40, 36))).toBeUndefined()
    expect(verdict(seen(67, 60))?.sentence).toMatch(
      /^GPU-bound: it worked 60 to 90 % of the time that the job held it;/,
    )
    expect(verdict({ ...seen(134, 120), gpuCards: 2 })?.sentence).toMatch(
      /^GPU-bound: it worked 60 to 90 % of the time that the job held a card, on average;/,
    )
    expect(verdict(seen(99, 90))?.sentence).toMatch(/^GPU-bound: it worked 90 % of the time;/)
  })

  it('holds the units of a card against all that it did, for whomever', () => {
    const shared = { ...sharedBusily, gpuHeldUtilizationPercentMean: 100, gpuBusySeconds: 80 }
    expect(verdict({ ...shared, gpuTensorPercentMean: 42 })?.kind).toBe('gpu')
    expect(verdict({ ...shared, gpuTensorPercentMean: 52 })?.sentence).toBe(
      'GPU bound by its tensor units: in use 52 % of the time; the card worked 100 %.',
    )
  })

  it('is idle where a job hardly works on a card that others keep busy', () => {
    const holder = { ...sharedBusily, gpuBusySeconds: 1 }
    expect(verdict(holder, 0.01)).toEqual({
      kind: 'gpu-idle',
      sentence:
        'GPU idle: held, but at work for this job 1 % of the time; the job kept under 0.1 cores busy.',
    })
    expect(verdict(holder, 1)?.sentence).toBe(
      'GPU waits for data: it worked for this job 1 % of the time, while the job kept 1.0 cores busy.',
    )
  })

  it.each([
    ['that keeps cores busy', 15, 1, undefined],
    ['that does nothing else', 1, 0.01, undefined],
    ['beside others of whom some were seen', 15, 1, atLeast(2, 'DRM fdinfo')],
  ])(
    'is not told for a busy card that may have worked for others, of a job %s',
    (_, gpuBusySeconds, cores, gpuSharedSeconds) => {
      const part = { gpuBusySeconds, gpuHeldUtilizationPercentMean: 98, gpuSharedSeconds }
      expect(verdict(part, cores)).toEqual({
        kind: 'gpu',
        sentence: `GPU busy: it worked 98 % of the time. ${gpuBusySeconds} % is known to be for this job; whose the rest was is not told.`,
      })
    },
  )

  it('is not known of a card that is old or that others used as much', () => {
    expect(verdict({ gpuBusySeconds: 55 })?.sentence).toBe(
      'GPU-bound: it worked 55 % of the time; what its units did for the job is not told.',
    )
  })

  it('goes by the multiprocessors where the card does not tell how much it works', () => {
    const untold = { ...matrixProduct, gpuBusySeconds: undefined }
    expect(verdict({ ...untold, gpuSharedSeconds: 0 })?.kind).toBe('gpu-tensor')
    // They may have worked for others.
    expect(verdict({ ...untold, gpuSharedSeconds: 1 })).toBeUndefined()
    expect(verdict(untold)).toBeUndefined()
  })

  it('is not known where nothing tells how much the card worked', () => {
    expect(verdict({}, 8)).toBeUndefined()
  })

  it('is told without units that nobody tells of', () => {
    const alone = { ...matrixProduct, gpuDramPercentMean: undefined }
    expect(verdict(alone)?.sentence).toBe(
      'GPU bound by its tensor units: in use 93 % of the time; the card worked 99 %.',
    )
    expect(verdict({ gpuBusySeconds: 98, gpuSmActivePercentMean: 90 })?.sentence).toBe(
      'GPU-bound: it worked 98 % of the time; no unit stands out: multiprocessors 90 %.',
    )
  })

  it('is storage where the job waits for that', () => {
    expect(verdict({ gpuBusySeconds: 10 }, 0.1, 60)).toEqual({
      kind: 'gpu-data-loading',
      sentence:
        'GPU waits for data: it worked 10 % of the time, while the job waited 60 % of the time for storage.',
    })
  })

  it('is the CPU where the job cannot get enough of it', () => {
    const usage = {
      ...usageOf({ cpuPressureSeconds: 67 }),
      gpuCards: measured(1, 'NVML'),
      gpuHeldSeconds: measured(seconds, 'NVML'),
      gpuBusySeconds: measured(15, 'NVML'),
      gpuHeldCoresMean: measured(0.2, 'procfs'),
    }
    expect(gpuBoundBy(usage, seconds, 4)).toEqual({
      kind: 'gpu-data-loading',
      sentence:
        'GPU waits for data: it worked 15 % of the time, while the job waited 67 % of the time for a free core.',
    })
  })

  it('goes by the cores that were busy while the card was held, not before', () => {
    expect(verdict({ gpuBusySeconds: 0, gpuHeldCoresMean: 0.05 }, 0.9)?.kind).toBe('gpu-idle')
  })

  it('is nothing where the card is held and not used, however hard others drive it', () => {
    expect(verdict({ gpuBusySeconds: 0 }, 0)?.kind).toBe('gpu-idle')
    const driven = { ...matrixProduct, ...slowedDown, gpuHeatThrottledSeconds: 90 }
    expect(verdict({ ...driven, gpuBusySeconds: 1 }, 0)?.kind).toBe('gpu-idle')
  })

  it('is a card that no process ever touched, whatever the CPU did', () => {
    expect(verdict({ gpuCards: 2, gpuCardsUntouched: 2, gpuHeldSeconds: 0 }, 8)).toEqual({
      kind: 'gpu-idle',
      sentence: 'Held 2 GPUs and used none: no process of it was ever seen on them.',
    })
    expect(verdict({ ...matrixProduct, gpuCards: 2, gpuCardsUntouched: 1 })?.sentence).toMatch(
      / Of its 2 GPUs 1 was never used\.$/,
    )
  })

  it('is not asked where the job had no card, or hardly held one', () => {
    expect(verdict({ gpuCards: 0 })).toBeUndefined()
    expect(verdict({ gpuHeldSeconds: 2, gpuBusySeconds: 2 })).toBeUndefined()
    expect(gpuBoundBy(usageOf({}), seconds, 1)).toBeUndefined()
  })
})

describe('a job of whose cards some are left out of what units did', () => {
  const why = 'shared, and less than four fifths of the work was for this job'
  const ofOne = (value: number): Measured =>
    measured(value, `NVML, looks added up; card 1 is left out (${why})`)
  const two = { gpuCards: 2, gpuHeldSeconds: 200, gpuBusySeconds: 170 }
  const leftOut = ` This is about 1 of its 2 GPUs, without card 1 (${why}).`

  it('is bound by a unit that was in use for half of the time or more, however long the card worked', () => {
    const units = { gpuTensorPercentMean: ofOne(90), gpuDramPercentMean: ofOne(16) }
    expect(verdict({ ...two, gpuHeldUtilizationPercentMean: 100, ...units })).toEqual({
      kind: 'gpu-tensor',
      sentence: `GPU bound by its tensor units: in use 90 % of the time that the job held the card (its memory bandwidth 16 %).${leftOut}`,
    })
  })

  it('does not hold its units against what the others did', () => {
    const apart = { ...two, gpuBusySeconds: 140, gpuHeldUtilizationPercentMean: 80 }
    // One may have worked all the time, and the other 60 % of it.
    expect(verdict({ ...apart, gpuTensorPercentMean: ofOne(45) })?.kind).toBe('gpu')
    expect(verdict({ ...apart, gpuTensorPercentMean: 45 })?.kind).toBe('gpu-tensor')
    // Or a fifth of the time, with work for all of it.
    expect(verdict({ ...apart, gpuSmActivePercentMean: ofOne(19) })?.sentence).toBe(
      `GPU-bound: it worked 70 % of the time; no unit stands out: multiprocessors 19 %.${leftOut}`,
    )
    expect(verdict({ ...apart, gpuSmActivePercentMean: 19 })?.kind).toBe('gpu-launches')
  })

  it('is judged by each unit for what is told of that', () => {
    const both = { ...two, gpuBusySeconds: 198, gpuHeldUtilizationPercentMean: 99 }
    const untold = measured(0, 'GPM; card 1 is left out (the card does not count this)')
    // NVLink of one card has nothing to do with kernels and units.
    const small = { gpuSmActivePercentMean: 1, gpuTensorPercentMean: 1, gpuDramPercentMean: 1 }
    expect(verdict({ ...both, ...small, gpuNvlinkBytesPerSecondMean: untold })).toEqual({
      kind: 'gpu-launches',
      sentence:
        'GPU bound by kernel launches: a kernel ran 99 % of the time, but 1 % of its multiprocessors had work. Many kernels are too small for the card.',
    })
    const units = { gpuTensorPercentMean: 93, gpuDramPercentMean: ofOne(16) }
    expect(verdict({ ...both, ...units })?.sentence).toBe(
      'GPU bound by its tensor units: in use 93 % of the time; the card worked 99 %.',
    )
    expect(verdict({ ...both, ...small, gpuTensorPercentMean: ofOne(93) })?.sentence).toBe(
      `GPU bound by its tensor units: in use 93 % of the time that the job held the card.${leftOut}`,
    )
    const mostly = { gpuSmActivePercentMean: 90, gpuTensorPercentMean: ofOne(10) }
    expect(verdict({ ...both, ...mostly })?.sentence).toBe(
      'GPU-bound: it worked 99 % of the time; no unit stands out: multiprocessors 90 %.',
    )
    const moved = { gpuBusySeconds: 30, gpuPcieBytesPerSecondMean: 20e9 }
    expect(verdict({ ...two, ...moved, gpuNvlinkBytesPerSecondMean: untold })?.sentence).toMatch(
      /^GPU bound by transfers: .* over PCIe, while it worked 15 % of the time\.$/,
    )
    const linked = {
      gpuBusySeconds: 30,
      gpuNvlinkBytesPerSecondMean: { ...untold, value: 100e9 } as Measured,
    }
    expect(verdict({ ...two, ...linked })?.sentence).toMatch(
      / over NVLink, .* This is about 1 of its 2 GPUs, without card 1 \(the card does not count this\)\.$/,
    )
  })

  it('says of several why it is not about them, once for each reason', () => {
    const also = (...cards: string[]): Measured =>
      measured(90, ['NVML', ...cards.map((each, at) => cardLeftOut(at, each))].join('; '))
    const four = { gpuCards: 4, gpuHeldSeconds: 400, gpuBusySeconds: 390 }
    const sentence = (...cards: string[]): string | undefined =>
      verdict({ ...four, gpuTensorPercentMean: also(...cards) })?.sentence
    expect(sentence(why, why)).toMatch(
      / the time that the job held the cards\. This is about 2 of its 4 GPUs, without cards 0 and 1 \(shared, and less than four fifths of the work was for this job\)\.$/,
    )
    expect(sentence(why, 'GPM: it timed out', why)).toMatch(
      / the time that the job held the card\. This is about 1 of its 4 GPUs, without cards 0 and 2 \(shared, [^;]*\) and card 1 \(GPM: it timed out\)\.$/,
    )
  })

  it('does not count cards that were never used', () => {
    const figures = { ...two, gpuCards: 4, gpuCardsUntouched: 2, gpuTensorPercentMean: ofOne(90) }
    expect(verdict(figures)?.sentence).toMatch(
      / This is about 1 of its 4 GPUs, without card 1 \(.*\)\. Of its 4 GPUs 2 were never used\.$/,
    )
  })

  it('was slowed down for at least as long as those were that are told of', () => {
    const atLeastOfOne = atLeast(100, `NVML, looks added up; card 1 is left out (${why})`)
    expect(verdict({ ...two, gpuHeatThrottledSeconds: atLeastOfOne })?.sentence).toBe(
      `GPU throttled by heat: it ran slower at least 50 % of the time because it was hot.${leftOut}`,
    )
    const slowed = { gpuPowerThrottledSeconds: atLeastOfOne, gpuClockPercentMean: ofOne(60) }
    expect(verdict({ ...two, ...slowed })?.sentence).toBe(
      `GPU throttled by its power limit: at least 50 % of the time, at 60 % of its clock.${leftOut}`,
    )
  })

  it('is not judged by their multiprocessors where nothing tells how much the cards worked', () => {
    const units = { gpuSmActivePercentMean: ofOne(10), gpuTensorPercentMean: ofOne(9) }
    const untold = { ...two, gpuBusySeconds: undefined, gpuSharedSeconds: 0 }
    expect(verdict({ ...untold, ...units })).toBeUndefined()
  })
})

describe('a figure that is only a lower bound', () => {
  const held = {
    ...usageOf({}),
    gpuCards: measured(1, 'NVML'),
    gpuHeldSeconds: measured(seconds, 'NVML'),
    gpuBusySeconds: measured(10, 'NVML'),
  }
  const sentence = (usage: Partial<Usage>): string | undefined =>
    gpuBoundBy({ ...held, ...usage }, seconds, 0.5)?.sentence

  it('is told as one', () => {
    const least = atLeast(60, 'seen in part')
    expect(sentence({ ioPressureSeconds: least })).toMatch(
      /the job waited at least 60 % of the time for storage\.$/,
    )
    expect(sentence({ cpuPressureSeconds: least })).toMatch(
      /the job waited at least 60 % of the time for a free core\.$/,
    )
    expect(sentence({ cpuTotalSeconds: atLeast(50, 'largest process') })).toMatch(
      /the job kept 0\.5 cores busy, as far as it was seen\.$/,
    )
  })

  it('is no certain work of a card', () => {
    const worked = { ...stream, gpuBusySeconds: atLeast(95, 'DRM fdinfo') }
    expect(verdict(worked)?.sentence).toMatch(/; the card worked 95 to 100 %\.$/)
    const little = { gpuBusySeconds: atLeast(10, 'DRM fdinfo'), gpuSmActivePercentMean: 12 }
    expect(verdict(little)?.kind).not.toBe('gpu-launches')
  })
})

const percent = fc.double({ min: 0, max: 100, noNaN: true })
const perhaps = fc.option(percent, { nil: undefined })
const evidence = fc.record({
  gpuCards: fc.integer({ min: 1, max: 16 }),
  gpuBusySeconds: percent,
  gpuPowerThrottledSeconds: percent,
  gpuHeatThrottledSeconds: percent,
  gpuClockPercentMean: perhaps,
  gpuSmActivePercentMean: perhaps,
  gpuTensorPercentMean: perhaps,
  gpuDramPercentMean: perhaps,
  gpuFp32PercentMean: perhaps,
  gpuIntegerPercentMean: perhaps,
  gpuPcieBytesPerSecondMean: fc.option(fc.double({ min: 0, max: 1e11, noNaN: true }), {
    nil: undefined,
  }),
  gpuNvlinkBytesPerSecondMean: fc.option(fc.double({ min: 0, max: 1e12, noNaN: true }), {
    nil: undefined,
  }),
})
const around = [fc.double({ min: 0, max: 64, noNaN: true }), percent] as const

describe('whatever was measured', () => {
  it('the verdict is a sentence without gaps', () => {
    fc.assert(
      fc.property(evidence, ...around, (given, cores, storage) => {
        const sentence = verdict(given, cores, storage)?.sentence
        expect(sentence).toMatch(/^GPU.*\.$/)
        expect(sentence).not.toMatch(/NaN|undefined|null|Infinity/)
      }),
      { seed: 7, numRuns: 2000 },
    )
  })

  it('an older card is never said to be bound by units that it does not tell of', () => {
    const untold = ['gpu-tensor', 'gpu-memory', 'gpu-arithmetic', 'gpu-launches']
    fc.assert(
      fc.property(evidence, ...around, (given, cores, storage) => {
        const { gpuCards, gpuBusySeconds, gpuPowerThrottledSeconds } = given
        const older = { gpuCards, gpuBusySeconds, gpuPowerThrottledSeconds }
        expect(untold).not.toContain(verdict(older, cores, storage)?.kind)
      }),
      { seed: 7, numRuns: 2000 },
    )
  })

  it('a unit that is in use all the time is what a busy card is bound by, alone or with others', () => {
    const units = fc.constantFrom(
      'gpuTensorPercentMean',
      'gpuDramPercentMean',
      'gpuFp32PercentMean',
    )
    const works = {
      gpuBusySeconds: 100,
      gpuSmActivePercentMean: 100,
      gpuHeatThrottledSeconds: 0,
      gpuPowerThrottledSeconds: 0,
    }
    fc.assert(
      fc.property(evidence, units, (given, unit) => {
        const kind = verdict({ ...given, ...works, [unit]: 100 })?.kind
        expect(['gpu-tensor', 'gpu-memory', 'gpu-arithmetic']).toContain(kind)
      }),
      { seed: 7, numRuns: 1000 },
    )
  })

  it('a card that works less than half of the time is never the limit itself', () => {
    const limits = ['gpu', 'gpu-tensor', 'gpu-memory', 'gpu-arithmetic']
    fc.assert(
      fc.property(evidence, ...around, (given, cores, storage) => {
        const idle = { ...given, gpuBusySeconds: given.gpuBusySeconds * 0.49 }
        expect(limits).not.toContain(verdict(idle, cores, storage)?.kind)
      }),
      { seed: 7, numRuns: 1000 },
    )
  })
})
