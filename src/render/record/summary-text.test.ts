import * as fc from 'fast-check'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { lammps, poisson, running, usageOf } from '../../../test/golden/render/crafted-records.ts'
import { deriveSeries, type DerivedPoint } from '../../analysis/series/rates.ts'
import { atLeast, measured, unmeasured, type Measured } from '../../model/measured.ts'
import { sampleWidth } from '../../../test/synthetic/sample-width.ts'
import { sampleIndex } from '../../model/sample.ts'
import { usageKeys, type Usage } from '../../model/usage.ts'
import { displayWidth } from '../text/display-width.ts'
import { colourStyle, plainStyle } from '../text/style.ts'
import { runSummary } from './summary-text.ts'

/** A job whose memory and CPU climb for 60 seconds. */
const climbing: DerivedPoint[] = deriveSeries(
  Array.from({ length: 61 }, (_, second) => {
    const row = new Float64Array(sampleWidth).fill(Number.NaN)
    row[sampleIndex.elapsed_seconds] = second
    row[sampleIndex.cpu_user_seconds] = (second * second) / 120
    row[sampleIndex.cpu_system_seconds] = 0
    row[sampleIndex.memory_bytes] = (second / 60) * 2048.56 * 2 ** 20
    return row
  }),
  8,
)

const boundedWords = {
  cpuTotalSeconds: ['at least 7.00 s'],
  cpuPercentPeak: ['at least 7.0 %'],
  memoryPeakBytes: ['at least 7 B peak', 'at least 10 % of 70 B requested'],
  readBytes: ['at least 7 B read'],
  writeBytes: ['at least 7 B written'],
  ioPressureSeconds: ['at least 7.00 s for it'],
  processesPeak: ['at least 7 processes at one time'],
  threadsPeak: ['at least 7 threads'],
  processesStarted: ['at least 7 started in total'],
}

describe('runSummary', () => {
  it('sums up a success', async () => {
    const text = runSummary(poisson, climbing, plainStyle)
    await expect(text).toMatchFileSnapshot('../../../test/golden/render/summary.txt')
  })

  it('sums up a failure that left processes behind, with nothing much measured', async () => {
    const stragglers = [
      { pid: 4711, command: 'sleep 1000' },
      { pid: 4712, command: 'sleep 1000' },
    ]
    const text = runSummary({ ...lammps, stragglers }, [], plainStyle)
    await expect(text).toMatchFileSnapshot('../../../test/golden/render/summary-failed.txt')
  })

  it('tells I/O of which none was seen from I/O that was not measured', () => {
    const ioOf = (figures: Partial<Usage>): string | undefined =>
      /^I\/O +(.*)$/m.exec(
        runSummary({ ...poisson, usage: { ...poisson.usage, ...figures } }, [], plainStyle),
      )?.[1]
    const waited = { ioPressureSeconds: unmeasured('no') }
    const nothing = atLeast(0, 'looks')
    expect(ioOf({ readBytes: nothing, writeBytes: nothing, ...waited })).toBe('none seen')
    const untold = unmeasured('no')
    expect(ioOf({ readBytes: untold, writeBytes: untold, ...waited })).toBe('not measured')
  })

  it('says where more may have been used than is told', () => {
    const usage = {
      ...poisson.usage,
      cpuTotalSeconds: atLeast(2, 'what was seen'),
      memoryPeakBytes: atLeast(3 * 2 ** 20, 'what was seen'),
    }
    const text = runSummary({ ...poisson, usage }, [], plainStyle)
    expect(text).toMatch(/^CPU +at least 2\.00 s · /m)
    expect(text).toMatch(/^Memory +at least 3\.0 MB peak/m)
  })

  it('says so of GPUs and energy too', () => {
    const usage = {
      ...poisson.usage,
      gpuCards: measured(1, 'NVML'),
      gpuUtilizationPercentMean: atLeast(40, 'NVML'),
      gpuUtilizationPercentPeak: atLeast(90, 'NVML'),
      gpuEnergyJoules: atLeast(500, 'NVML'),
      energyJoules: atLeast(700, 'RAPL'),
    }
    const lines = runSummary({ ...poisson, usage }, [], plainStyle).split('\n')
    expect(lines).toContain(
      'GPU         at least 40 % of 1 card · peak at least 90 % · at least 500 J',
    )
    expect(lines).toContain('Energy      at least 700 J (0.2 Wh), by its share of the CPU time')
  })

  it('says how many cores the container may use where these are fewer', () => {
    const cpuLine = (cpus: number | null, limitPercent: number): string => {
      const limit = measured(limitPercent, 'as set when the container was made')
      const requirements = { ...poisson.requirements, cpus }
      const usage = { ...poisson.usage, containerCpuLimitPercent: limit }
      return runSummary({ ...poisson, requirements, usage }, [], plainStyle)
    }
    expect(cpuLine(null, 30)).toContain("of 0.3 cores (the container's limit)")
    expect(cpuLine(1, 150)).toContain("of 1.5 cores (the container's limit; 1 requested)")
    expect(cpuLine(null, 100 * poisson.machine.cores)).not.toContain("container's limit")
  })

  it('says why nothing is known of a GPU that was asked for', () => {
    const gpuLine = (gpus: number | null, figures: Readonly<Record<string, Measured>>): string => {
      const requirements = { ...poisson.requirements, gpus }
      const usage = { ...poisson.usage, ...figures }
      const text = runSummary({ ...poisson, requirements, usage }, [], plainStyle)
      return /^GPU +((?:.|\n )*)$/m.exec(text)?.[1]?.replaceAll(/\s+/g, ' ') ?? ''
    }
    const why = 'no GPU: neither /dev/nvidiactl nor a card in /sys/class/drm is there'
    const none = { gpuUtilizationPercentMean: unmeasured(why) }
    expect(gpuLine(1, none)).toBe(`not measured: ${why}`)
    expect(gpuLine(null, none)).toBe('')
    expect(gpuLine(2, { gpuCards: measured(0, 'used by its processes') })).toBe(
      'none of the 2 requested was used',
    )
  })

  it('says of a mean for how much of the time a card was read', () => {
    const gap = 'card 0 was read for 12 of 20 s: it could not be read after 12 s: it is lost'
    const usage = {
      ...poisson.usage,
      gpuCards: measured(1, 'NVML'),
      gpuUtilizationPercentMean: measured(40, `NVML, mean over the time; ${gap}`),
      gpuEnergyJoules: atLeast(500, 'NVML'),
    }
    expect(runSummary({ ...poisson, usage }, [], plainStyle).split('\n')).toContain(
      'GPU         40 % of 1 card, read for 12 of 20 s · at least 500 J',
    )
  })

  it('draws nothing beside what was not measured', () => {
    const usage = {
      ...poisson.usage,
      cpuTotalSeconds: unmeasured('the job runs in a container'),
      memoryPeakBytes: unmeasured('the job runs in a container'),
    }
    const text = runSummary({ ...poisson, usage }, climbing, plainStyle)
    expect(text).toMatch(/^CPU +not measured$/m)
    expect(text).toMatch(/^Memory +not measured$/m)
  })

  it('goes on in a further line where the figures do not fit in one', () => {
    const usage = {
      ...poisson.usage,
      cpuTotalSeconds: atLeast(301.5, 'what was seen'),
      cpuPercentPeak: atLeast(87, 'what was seen'),
    }
    const requirements = { ...poisson.requirements, cpus: 128 }
    const text = runSummary({ ...poisson, usage, requirements }, climbing, plainStyle)
    expect(text).toMatch(/^CPU +at least .* \(128 requested\) .*\n {12}peak at least 87 %$/m)
  })

  it('does not say "at least 0", which says nothing', () => {
    const usage = {
      ...poisson.usage,
      readBytes: atLeast(0, 'what was seen'),
      writeBytes: atLeast(0, 'what was seen'),
    }
    const text = runSummary({ ...poisson, usage }, [], plainStyle)
    expect(text).not.toContain('at least 0')
  })

  it('tells the whole reason of a failure, on lines of its own where it is long', () => {
    const failed = { ...lammps, name: 'sort', status: 'failed' as const, durationSeconds: 3.2 }
    const head = (reason: string) =>
      runSummary({ ...failed, reason }, [], plainStyle).split('\nCPU ')[0]
    expect(head('exited with code 3')).toBe('✗ sort  failed after 3.20 s: exited with code 3')
    const memory = 'out of memory: the kernel held it to its limit of 200.0 MB'
    expect(head(memory)).toBe(`✗ sort  failed after 3.20 s:\n  ${memory}`)
    expect(head(`${memory}, and there was more to say of it`)).toBe(
      `✗ sort  failed after 3.20 s:\n  ${memory}, and there was more\n  to say of it`,
    )
  })

  it('says so of every figure', () => {
    const keys = [
      'cpuTotalSeconds',
      'cpuPercentPeak',
      'memoryPeakBytes',
      'readBytes',
      'writeBytes',
      'ioPressureSeconds',
      'processesPeak',
      'threadsPeak',
      'processesStarted',
    ] as const
    const exact = { ...poisson.usage, ...usageOf(Object.fromEntries(keys.map((key) => [key, 7]))) }
    const requirements = { ...poisson.requirements, cpus: 2, memoryBytes: 70 }
    const told = (usage: typeof exact) =>
      runSummary({ ...poisson, requirements, usage }, [], plainStyle)
    expect(told(exact)).not.toContain('at least')
    for (const key of keys) {
      const bounded = told({ ...exact, [key]: atLeast(7, 'what was seen') })
      const words = bounded.match(/at least [^·\n]+/g)?.map((part) => part.trim())
      expect(words, key).toEqual(boundedWords[key])
    }
  })

  it('says the same in colour', () => {
    const coloured = runSummary(poisson, climbing, colourStyle)
    expect(coloured).not.toBe(runSummary(poisson, climbing, plainStyle))
    expect(stripVTControlCharacters(coloured)).toBe(runSummary(poisson, climbing, plainStyle))
  })

  it('ends with where to look next', () => {
    expect(runSummary(running, [], plainStyle)).toMatch(/jobmeter show aaaabbbbcccc\n$/)
  })

  it('stays within 80 columns and 9 lines, two more of a long reason, without an absurd figure', () => {
    const figures = fc.dictionary(
      fc.constantFrom(...usageKeys),
      fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1e9, noNaN: true })),
    )
    const duration = fc.option(fc.double({ min: 1e-6, max: 1e8, noNaN: true }))
    const cpus = fc.option(fc.integer({ min: 1, max: 512 }))
    const text = fc.string({ unit: 'binary', maxLength: 200 })
    fc.assert(
      fc.property(figures, duration, cpus, text, (usage, durationSeconds, asked, untrusted) => {
        const record = {
          ...lammps,
          name: untrusted,
          reason: untrusted,
          durationSeconds,
          requirements: { ...lammps.requirements, cpus: asked },
          usage: usageOf(usage),
          stragglers: [{ pid: 12345, command: untrusted }],
        }
        const lines = runSummary(record, climbing, plainStyle).trimEnd().split('\n')
        expect(lines.length).toBeLessThanOrEqual(11)
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(80)
        expect(lines.slice(1).join()).not.toMatch(/NaN|Infinity|undefined|null/)
      }),
      { numRuns: 1000 },
    )
  })
})
