import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poisson, running, usageOf } from '../../../test/golden/render/crafted-records.ts'
import { hiddenText } from '../../model/hidden-moments.ts'
import { atLeast, measured, unmeasured, type Measured } from '../../model/measured.ts'
import type { JobRecord } from '../../model/record.ts'
import { threadBasis } from '../../model/thread-basis.ts'
import { usageKeys, type UsageKey } from '../../model/usage.ts'
import { boundBy } from './bound-by.ts'

function job(
  figures: Partial<Record<UsageKey, number>>,
  cpus: number | null = 4,
  durationSeconds = 100,
): JobRecord {
  const requirements = { ...poisson.requirements, cpus }
  return { ...poisson, durationSeconds, requirements, usage: usageOf(figures) }
}

/** The same, where these figures are lower bounds. */
const bounded = (record: JobRecord, ...keys: readonly UsageKey[]): JobRecord => {
  const bounds = keys.map((key) => [key, atLeast(record.usage[key].value ?? NaN, 'looks')])
  return { ...record, usage: { ...record.usage, ...Object.fromEntries(bounds) } }
}

/** The same, where more CPU time than this may have been used. */
const seenInPart = (record: JobRecord): JobRecord =>
  bounded(record, 'cpuTotalSeconds', 'cpuPercentPeak', 'cpuPercentP95')

/** The same, where only so much of its time went unseen. */
const unseenFor = (unseenSeconds: number, record: JobRecord): JobRecord => {
  const { usage } = seenInPart(record)
  const unseen = { ...usage, cpuUnseenSeconds: measured(unseenSeconds, 'times of the looks') }
  return { ...record, usage: unseen }
}

/** The same, with a thread that was busy for so much of the time. */
const withThread = (percent: number, record: JobRecord): JobRecord => {
  const busiestThreadPercent = measured(percent, threadBasis('loader', 'stat'))
  const usage = { ...record.usage, busiestThreadPercent }
  return { ...record, usage }
}

/** A job that hardly computed, and what was told of its GPUs. */
function waitedWith(cards: Measured, use: Measured): string {
  const record = job({ cpuTotalSeconds: 3, ioPressureSeconds: 0 })
  const usage = { ...record.usage, gpuCards: cards, gpuUtilizationPercentMean: use }
  const { kind, sentence } = boundBy({ ...record, usage })
  expect(kind).toBe('waiting')
  return sentence
}

describe('a job that hardly computed', () => {
  const waited = 'Mostly waiting: 3 % of one core; it slept or waited for the network, a lock'
  const cards = (count: number): Measured => measured(count, 'NVML')

  it('may have waited for a GPU of which nothing is known', () => {
    const untold = unmeasured('the card does not tell how much it works')
    expect(waitedWith(cards(1), untold)).toBe(
      `${waited}, input or its GPU. What its GPU did is not known: the card does not tell how much it works.`,
    )
    expect(waitedWith(cards(2), unmeasured('a reason '.repeat(20)))).toBe(
      `${waited}, input or its GPUs. What its GPUs did is not known.`,
    )
    expect(waitedWith(unmeasured('the GPU driver did not answer for 12 s'), untold)).toBe(
      `${waited}, input or a GPU. Whether it used a GPU is not known: the GPU driver did not answer for 12 s.`,
    )
  })

  it('may have waited for a GPU that it asked for and whose driver could not be read', () => {
    const why = 'no GPU can be read: libnvidia-ml.so.1 is not there'
    const record = job({ cpuTotalSeconds: 3, ioPressureSeconds: 0 })
    const usage = { ...record.usage, gpuUtilizationPercentMean: unmeasured(why) }
    const sentenceOf = (gpus: number | null): string =>
      boundBy({ ...record, usage, requirements: { ...record.requirements, gpus } }).sentence
    expect(sentenceOf(1)).toBe(
      `${waited}, input or a GPU. Whether it used a GPU is not known: ${why}.`,
    )
    for (const none of [null, 0]) expect(sentenceOf(none)).toBe(`${waited} or input.`)
  })

  it('may have waited for a GPU of which a part is known', () => {
    const part = 'NVML; card 0 was read for 2.0 of 100 s: it could not be read after 2.0 s: lost'
    expect(waitedWith(cards(1), measured(0, part))).toBe(
      `${waited}, input or its GPU. What its GPU did is known for a part of the time alone (read for 2.0 of 100 s).`,
    )
    expect(waitedWith(cards(1), atLeast(5, 'NVML'))).toBe(
      `${waited}, input or its GPU. Its GPU may have done more than was seen.`,
    )
  })

  it('did not wait for one that it had not, or that did nothing', () => {
    for (const count of [0, 1])
      expect(waitedWith(cards(count), measured(0, 'NVML'))).toBe(`${waited} or input.`)
  })
})

describe('boundBy', () => {
  it.each([
    [
      'saturated cores',
      job({ cpuTotalSeconds: 392 }),
      'cpu',
      'CPU-bound: kept 3.9 of 4 requested cores busy (98 %).',
    ],
    [
      'more than the request',
      job({ cpuTotalSeconds: 600 }),
      'cpu',
      'CPU-bound: kept 6.0 cores busy, more than the 4 it asked for.',
    ],
    [
      'serial work',
      job({ cpuTotalSeconds: 99, cpuPercentPeak: 100 }, null),
      'one-core',
      'Used one core of 8: it is serial, so more cores will not help.',
    ],
    [
      'serial work without a peak',
      job({ cpuTotalSeconds: 99 }, null),
      'one-core',
      'Used 1.0 of 8 cores on average, as serial work does; its peak was not measured.',
    ],
    [
      'sleep',
      job({ cpuTotalSeconds: 3, ioPressureSeconds: 0 }),
      'waiting',
      'Mostly waiting: 3 % of one core; it slept or waited for the network, a lock or input.',
    ],
    [
      'sleep, beside what was not seen',
      seenInPart(job({ cpuTotalSeconds: 0.5, ioPressureSeconds: 0 }, 4, 60)),
      'waiting',
      'Mostly waiting, as far as it was seen: less than 1 % of one core; it slept or waited for the network, a lock or input. Its CPU time is a lower bound.',
    ],
    [
      'sleep of which hardly anything went unseen',
      unseenFor(1, job({ cpuTotalSeconds: 3, ioPressureSeconds: 0 }, 4, 60)),
      'waiting',
      'Mostly waiting: at least 5 % of one core; it slept or waited for the network, a lock or input.',
    ],
    [
      'sleep that hardly computed, and of which hardly anything went unseen',
      unseenFor(1, job({ cpuTotalSeconds: 0.5, ioPressureSeconds: 0 }, 4, 60)),
      'waiting',
      'Mostly waiting: less than 1 % of one core, as far as it was seen; it slept or waited for the network, a lock or input.',
    ],
    [
      'serial work, beside what was not seen',
      seenInPart(job({ cpuTotalSeconds: 99, cpuPercentPeak: 100 }, null)),
      'unknown',
      'Used one core of 8, as far as it was seen: its CPU time is a lower bound, and what was not seen of it may have kept more cores busy.',
    ],
    [
      'serial work that was seen nearly to its end',
      unseenFor(5, job({ cpuTotalSeconds: 96, cpuPercentPeak: 100 }, null)),
      'one-core',
      'Used one core of 8: it is serial, so more cores will not help.',
    ],
    [
      'serial work without a peak that was seen nearly to its end',
      unseenFor(5, job({ cpuTotalSeconds: 96 }, null)),
      'one-core',
      'Used at least 1.0 of 8 cores on average, as serial work does; its peak was not measured.',
    ],
    [
      'serial work of which the end was not seen',
      unseenFor(6, job({ cpuTotalSeconds: 94, cpuPercentPeak: 100 }, null)),
      'unknown',
      'Used one core of 8, as far as it was seen: its CPU time is a lower bound, and what was not seen of it may have kept more cores busy.',
    ],
    [
      'a busy thread, beside what was not seen',
      seenInPart(withThread(97, job({ cpuTotalSeconds: 130 }, null))),
      'unknown',
      'No single limit stands out: it kept at least 1.3 of 8 cores busy on average; how long it waited for a core was not measured.',
    ],
    [
      'a busy thread of a job that was seen nearly to its end',
      unseenFor(5, withThread(97, job({ cpuTotalSeconds: 130 }, null))),
      'one-core',
      "One thread, 'loader', was busy 97 % of the time while the other 7 cores did little: the job waits for it.",
    ],
    [
      'what seems serial on a full machine, beside what was not seen',
      seenInPart(
        job({ cpuTotalSeconds: 99, cpuPercentPeak: 100, machineCpuPercentMean: 100 }, null),
      ),
      'cpu-contention',
      'Probably waited for CPU: the cores of the machine were 100 % busy; the job got at least 1.0 of 8 cores.',
    ],
    [
      'processes that may take turns on a full machine',
      job(
        {
          cpuTotalSeconds: 99,
          cpuPercentPeak: 100,
          processesPeak: 3,
          machineCpuPercentMean: 100,
        },
        null,
      ),
      'cpu-contention',
      'Probably waited for CPU: the cores of the machine were 100 % busy; the job got 1.0 of 8 cores.',
    ],
    [
      'serial work without a peak, beside what was not seen',
      seenInPart(job({ cpuTotalSeconds: 99 }, null)),
      'unknown',
      'Used one core of 8, as far as it was seen: its CPU time is a lower bound, and what was not seen of it may have kept more cores busy.',
    ],
    [
      'several processes that may take turns, beside what was not seen',
      seenInPart(job({ cpuTotalSeconds: 99, cpuPercentPeak: 100, processesPeak: 3 }, null)),
      'unknown',
      'Used one core of 8, as far as it was seen: its CPU time is a lower bound, and what was not seen of it may have kept more cores busy.',
    ],
    [
      'sleep with storage unknown',
      job({ cpuTotalSeconds: 3 }),
      'waiting',
      'Mostly waiting: 3 % of one core; what it waited for was not measured.',
    ],
    [
      'a starved loop on a full machine whose pressure is not known',
      job({ cpuTotalSeconds: 18, machineCpuPercentMean: 100 }, null),
      'cpu-contention',
      'Probably waited for CPU: the cores of the machine were 100 % busy; the job got 0.2 of 8 cores.',
    ],
    [
      'a sleep on a full machine',
      job({ cpuTotalSeconds: 1, machineCpuPercentMean: 100 }),
      'waiting',
      'Mostly waiting: 1 % of one core; what it waited for was not measured.',
    ],
    [
      'a full machine on which nobody waited for a core',
      job({ cpuTotalSeconds: 18, machineCpuPercentMean: 100, machineCpuPressureSeconds: 1 }),
      'waiting',
      'Mostly waiting: 18 % of one core; what it waited for was not measured.',
    ],
    [
      'storage pressure',
      job({ cpuTotalSeconds: 30, ioPressureSeconds: 41 }),
      'io',
      'I/O-bound: waited 41 % of the time for storage (I/O pressure).',
    ],
    [
      'storage delay',
      job({ cpuTotalSeconds: 12, ioDelaySeconds: 130 }),
      'io',
      'I/O-bound: its processes waited 130 s for storage (block I/O delay) and computed for 12 s in 100 s.',
    ],
    [
      'storage pressure of the machine, where nothing of the job is known',
      job({
        cpuTotalSeconds: 30,
        machineIoPressureSeconds: 64,
        readBytes: 2 ** 30,
        writeBytes: 0,
      }),
      'io',
      'Probably I/O-bound: the machine waited 64 % of the time for storage (machine pressure); the job moved 1024 MB.',
    ],
    [
      'storage pressure of the machine that others make',
      job({ cpuTotalSeconds: 210, machineIoPressureSeconds: 64, readBytes: 0, writeBytes: 0 }),
      'unknown',
      'No single limit stands out: it kept 2.1 of 4 requested cores busy on average; how long it waited for a core was not measured.',
    ],
    [
      'memory pressure of the machine',
      job({
        cpuTotalSeconds: 210,
        machineMemoryPressureSeconds: 30,
        memoryPeakBytes: 6 * 2 ** 30,
        machineMemoryMaxBytes: 8 * 2 ** 30,
      }),
      'memory',
      'Probably short of memory: the machine waited 30 % of the time for it (machine pressure); the job held 6144 MB.',
    ],
    [
      'a crowded machine, where nothing of the job is known',
      job({ cpuTotalSeconds: 210, machineCpuPressureSeconds: 80, machineCpuPercentMean: 97 }),
      'cpu-contention',
      'Probably short of CPU: the machine waited 80 % of the time for a core (machine pressure); the job got 2.1 of 4 requested cores.',
    ],
    [
      'a crowded machine, where a part of what the job waited is known',
      bounded(
        job({
          cpuTotalSeconds: 210,
          cpuPressureSeconds: 24,
          machineCpuPressureSeconds: 80,
          machineCpuPercentMean: 97,
        }),
        'cpuPressureSeconds',
      ),
      'cpu-contention',
      'Probably short of CPU: the machine waited 80 % of the time for a core (machine pressure); the job got 2.1 of 4 requested cores and waited at least 24 % of the time for one.',
    ],
    [
      'a sleep on a crowded machine: who asks for no CPU cannot be short of it',
      job({
        cpuTotalSeconds: 0.03,
        machineCpuPressureSeconds: 95,
        machineCpuPercentMean: 100,
        voluntarySwitches: 4,
        involuntarySwitches: 3,
      }),
      'waiting',
      'Mostly waiting: less than 1 % of one core; what it waited for was not measured.',
    ],
    [
      'a sleep on a crowded machine that was watched, so that nobody counted switches',
      job({ cpuTotalSeconds: 3, machineCpuPressureSeconds: 95, machineCpuPercentMean: 100 }),
      'waiting',
      'Mostly waiting: 3 % of one core; what it waited for was not measured.',
    ],
    [
      'a job that others keep taking off its core',
      job({
        cpuTotalSeconds: 8,
        machineCpuPressureSeconds: 95,
        machineCpuPercentMean: 100,
        voluntarySwitches: 4,
        involuntarySwitches: 2000,
      }),
      'cpu-contention',
      'Probably short of CPU: the machine waited 95 % of the time for a core (machine pressure); the job got 0.1 of 4 requested cores.',
    ],
    [
      'computing that also writes',
      job({
        cpuTotalSeconds: 70,
        cpuUserSeconds: 66,
        cpuSystemSeconds: 4,
        ioPressureSeconds: 28,
        readChars: 0,
        writeChars: 2 ** 30,
        readCalls: 0,
        writeCalls: 1000,
      }),
      'unknown',
      'No single limit stands out: it kept 0.7 of 4 requested cores busy on average and waited 28 % of the time for storage; how long it waited for a core was not measured.',
    ],
    [
      'writing, most of the time in the kernel',
      job({
        cpuTotalSeconds: 55,
        cpuUserSeconds: 2,
        cpuSystemSeconds: 53,
        ioPressureSeconds: 40,
        readChars: 0,
        writeChars: 2 ** 35,
        readCalls: 0,
        writeCalls: 33_000,
      }),
      'io',
      'I/O-bound: waited 40 % of the time for storage (I/O pressure).',
    ],
    [
      'computing on a machine whose storage others keep busy',
      job({
        cpuTotalSeconds: 70,
        machineIoPressureSeconds: 64,
        readBytes: 2 ** 30,
        writeBytes: 0,
      }),
      'unknown',
      'No single limit stands out: it kept 0.7 of 4 requested cores busy on average; how long it waited for a core was not measured.',
    ],
    [
      'computing that waited for blocks now and then',
      job({ cpuTotalSeconds: 210, ioDelaySeconds: 60 }),
      'unknown',
      'No single limit stands out: it kept 2.1 of 4 requested cores busy on average; how long it waited for a core was not measured.',
    ],
    [
      'memory pressure',
      job({ cpuTotalSeconds: 350, memoryPressureSeconds: 23, swapPeakBytes: 2 ** 30 }),
      'memory',
      'Short of memory: waited 23 % of the time for it (memory pressure), 1024 MB were swapped out.',
    ],
    [
      'a crowded machine',
      job({ cpuTotalSeconds: 210, cpuPressureSeconds: 47 }),
      'cpu-contention',
      'Short of CPU: waited 47 % of the time for a free core (CPU pressure) and got 2.1 of 4 requested cores.',
    ],
    [
      'nothing in particular',
      job({ cpuTotalSeconds: 210 }),
      'unknown',
      'No single limit stands out: it kept 2.1 of 4 requested cores busy on average; how long it waited for a core was not measured.',
    ],
    [
      '20 ms',
      job({ cpuTotalSeconds: 0.01 }, 4, 0.02),
      'too-short',
      'Too short to tell: it ran for 0.02 s.',
    ],
    ['no CPU time', job({}), 'unknown', 'Not known: its CPU time was not measured.'],
    ['a running job', running, 'unknown', 'Still running: nothing to judge yet.'],
  ])('judges %s', (_, record, kind, sentence) => {
    expect(boundBy(record)).toEqual({ kind, sentence })
  })

  it.each([
    [
      bounded(job({ cpuTotalSeconds: 392 }, 2), 'cpuTotalSeconds'),
      'CPU-bound: kept at least 3.9 cores busy, more than the 2 it asked for.',
    ],
    [
      bounded(job({ cpuTotalSeconds: 210, cpuPressureSeconds: 47 }), 'cpuPressureSeconds'),
      'Short of CPU: waited at least 47 % of the time for a free core (CPU pressure) and got 2.1 of 4 requested cores.',
    ],
    [
      bounded(job({ cpuTotalSeconds: 3, cpuPressureSeconds: 47 }), 'cpuTotalSeconds'),
      'Short of CPU: waited 47 % of the time for a free core (CPU pressure) and got under 0.1 of 4 requested cores, as far as it was seen.',
    ],
    [
      bounded(job({ cpuTotalSeconds: 30, ioPressureSeconds: 41 }), 'ioPressureSeconds'),
      'I/O-bound: waited at least 41 % of the time for storage (I/O pressure).',
    ],
    [
      bounded(
        job({ cpuTotalSeconds: 12, ioDelaySeconds: 130 }),
        'cpuTotalSeconds',
        'ioDelaySeconds',
      ),
      'I/O-bound: its processes waited at least 130 s for storage (block I/O delay) and computed for at least 12 s in 100 s.',
    ],
    [
      bounded(job({ cpuTotalSeconds: 0, ioDelaySeconds: 130 }, 4, 60), 'cpuTotalSeconds'),
      'I/O-bound: its processes waited 130 s for storage (block I/O delay) and computed for 0 s in 60 s, as far as it was seen.',
    ],
    [
      bounded(
        job({ cpuTotalSeconds: 350, memoryPressureSeconds: 23, swapPeakBytes: 2 ** 30 }),
        'memoryPressureSeconds',
        'swapPeakBytes',
      ),
      'Short of memory: waited at least 23 % of the time for it (memory pressure), at least 1024 MB were swapped out.',
    ],
    [
      bounded(
        job({
          cpuTotalSeconds: 30,
          machineIoPressureSeconds: 64,
          readBytes: 2 ** 30,
          writeBytes: 0,
        }),
        'writeBytes',
      ),
      'Probably I/O-bound: the machine waited 64 % of the time for storage (machine pressure); the job moved at least 1024 MB.',
    ],
    [
      bounded(
        job({ cpuTotalSeconds: 100, cpuPercentPeak: 110, processesPeak: 3 }),
        'processesPeak',
      ),
      'Used about one core of 4 on average: whether its processes, at least 3, take turns, or run side by side for moments, is not known.',
    ],
  ])('tells a lower bound as one: %#', (record, sentence) => {
    expect(boundBy(record).sentence).toBe(sentence)
  })

  it('takes no more cores than the machine has for what a job could use', () => {
    expect(boundBy(job({ cpuTotalSeconds: 784 }, 16)).sentence).toBe(
      'CPU-bound: kept 7.8 of 8 cores busy (98 %).',
    )
  })

  it('does not call a job serial that was parallel for part of the time', () => {
    expect(boundBy(job({ cpuTotalSeconds: 100, cpuPercentPeak: 400 })).kind).toBe('unknown')
  })

  describe('work that mostly keeps one core busy', () => {
    const words = /^Mostly one core: \d\d % of one core on average; /
    const said = (figures: Partial<Record<UsageKey, number>>, cpus: number | null = null) =>
      boundBy(job(figures, cpus)).sentence

    it('is told as such, with what it waited for where that is known', () => {
      const busy = { cpuTotalSeconds: 73, cpuPercentPeak: 100 }
      expect(boundBy(job(busy, null))).toEqual({
        kind: 'one-core',
        sentence: 'Mostly one core: 73 % of one core on average; the rest of the time it waited.',
      })
      const writes = { ...busy, cpuUserSeconds: 70, cpuSystemSeconds: 3, ioPressureSeconds: 24 }
      expect(said(writes)).toBe(
        'Mostly one core: 73 % of one core on average; it waited 24 % of the time for storage.',
      )
    })

    it('is not called serial where several processes may have worked at once', () => {
      const busy = { cpuTotalSeconds: 100, cpuPercentPeak: 110 }
      expect(said({ ...busy, processesPeak: 2 })).toMatch(/it is serial/)
      expect(boundBy(job({ ...busy, processesPeak: 3 }, null))).toEqual({
        kind: 'unknown',
        sentence:
          'Used about one core of 8 on average: whether its 3 processes take turns, or run side by side for moments, is not known.',
      })
    })

    it('is told by the delays of its processes where no pressure is known', () => {
      const figures = { cpuTotalSeconds: 73, cpuPercentPeak: 100, cpuUserSeconds: 73 }
      expect(said({ ...figures, ioDelaySeconds: 24 })).toContain('it waited 24 % of the time for')
    })

    it('is not told of who waited for cores, nor of many processes that each wait', () => {
      const busy = { cpuTotalSeconds: 73, cpuPercentPeak: 100 }
      expect(said({ ...busy, cpuPressureSeconds: 4 })).toMatch(words)
      expect(said({ ...busy, cpuPressureSeconds: 24 })).toMatch(/^No single limit/)
      expect(said({ ...busy, processesPeak: 2 })).toMatch(words)
      expect(said({ ...busy, processesPeak: 64 })).toMatch(/^No single limit/)
    })

    it.each([
      [60, 130, true],
      [59, 100, false],
      [79, 130, true],
      // From 80 % on it is serial, if it was never parallel.
      [80, 130, false],
    ])('a mean of %i with a peak of %i percent: %s', (cpuTotalSeconds, cpuPercentPeak, isSo) => {
      expect(words.test(said({ cpuTotalSeconds, cpuPercentPeak }))).toBe(isSo)
    })

    it.each([
      [60, 200, 115, true],
      [95, 200, 115, true],
      [96, 200, 115, false],
      // A twentieth of the time on eight cores would be more than half of its work.
      [70, 201, 100, false],
      [70, 140, 116, false],
    ])(
      'a mean of %i with a peak of %i and a 95th percentile of %i percent: %s',
      (cpuTotalSeconds, cpuPercentPeak, cpuPercentP95, isSo) => {
        expect(words.test(said({ cpuTotalSeconds, cpuPercentPeak, cpuPercentP95 }))).toBe(isSo)
      },
    )

    it('is not told where it is not known, or where there is no other core', () => {
      expect(said({ cpuTotalSeconds: 73 })).toMatch(/^No single limit/)
      expect(said({ cpuTotalSeconds: 73, cpuPercentPeak: 100 }, 1)).toMatch(/^No single limit/)
      const record = job({ cpuTotalSeconds: 73, cpuPercentPeak: 100 }, null)
      for (const key of ['cpuTotalSeconds', 'cpuPercentPeak'] as const) {
        const usage = { ...record.usage, [key]: atLeast(record.usage[key].value ?? 0, 'looks') }
        expect(boundBy({ ...record, usage }).sentence).toMatch(/^No single limit/)
      }
    })

    it('is told where hardly anything went unseen, unless a busier moment may be hidden', () => {
      const figures = { cpuTotalSeconds: 70, cpuPercentPeak: 180, cpuPercentP95: 110 }
      const record = unseenFor(0.5, job(figures, null))
      expect(boundBy(record)).toEqual({
        kind: 'one-core',
        sentence:
          'Mostly one core: at least 70 % of one core on average; the rest of the time it waited.',
      })
      expect(boundBy(unseenFor(6, job(figures, null))).sentence).toMatch(/^No single limit/)
      const cpuPercentPeak = atLeast(180, `highest mean over 1 s or more${hiddenText(4)}`)
      const usage = { ...record.usage, cpuPercentPeak }
      expect(boundBy({ ...record, usage }).sentence).toMatch(/^No single limit/)
    })

    it('is that of one thread only where that did nearly all of it', () => {
      const of = (percent: number): string => {
        const record = job({ cpuTotalSeconds: 70, cpuPercentPeak: 100 }, null)
        return boundBy(withThread(percent, record)).sentence
      }
      expect(of(63)).toBe(
        "Mostly one core, nearly all of it in one thread, 'loader': 70 % of one core on average; the rest of the time it waited.",
      )
      // Several threads that each wait most of the time may run side by side.
      expect(of(62)).toMatch(/^No single limit/)
    })
  })

  it('says one short sentence without absurd figures, whatever was measured', () => {
    const figure = fc.option(fc.double({ min: 0, max: 1e12, noNaN: true }), { nil: undefined })
    const figures = fc.dictionary(
      fc.constantFrom(...usageKeys),
      figure.map((value) => value ?? 0),
    )
    fc.assert(
      fc.property(
        figures,
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        fc.option(fc.nat(64)),
        (usage, seconds, cpus) => {
          const { sentence } = boundBy(job(usage, cpus, seconds))
          expect(sentence).toMatch(/^[A-Z].*\.$/)
          expect(sentence).not.toMatch(/NaN|Infinity|undefined|null|-\d/)
        },
      ),
    )
  })
})

describe('a job in a container with a CPU limit', () => {
  /** On a machine of 8 cores. */
  const held = (limitCores: number, busyCores: number, cpuPercentPeak = 100 * busyCores) => {
    const record = job({ cpuTotalSeconds: 100 * busyCores, cpuPercentPeak }, null)
    const containerCpuLimitPercent = measured(100 * limitCores, 'cpu.max')
    return {
      ...record,
      machine: { ...record.machine, cores: 8 },
      usage: { ...record.usage, containerCpuLimitPercent },
    }
  }

  it('is CPU-bound if it fills it', () => {
    const filled = (cores: string, limit: string) => ({
      kind: 'cpu',
      sentence: `CPU-bound: kept ${cores} of the ${limit} that its container may use busy (97 %).`,
    })
    expect(boundBy(held(2, 1.94))).toEqual(filled('1.9', '2 cores'))
    expect(boundBy(held(1, 0.97))).toEqual(filled('1.0', '1 core'))
    expect(boundBy(held(2.5, 2.425))).toEqual(filled('2.4', '2.5 cores'))
  })

  it('leaves idle no cores that it may not use', () => {
    const { kind, sentence } = boundBy(withThread(97, held(2, 0.98)))
    expect(kind).toBe('one-core')
    expect(sentence).toContain('while the other core that its container may use did ')
    expect(boundBy(held(3, 1)).sentence).toContain('one core of 3 that its container may use')
    expect(boundBy(held(4, 2.2)).sentence).toContain(
      '2.2 of the 4 cores that its container may use',
    )
  })
})
