import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ok, unavailable, type Reading } from '../../model/reading.ts'
import { fakeSystem } from '../../system/fake.ts'
import { parseIntelGpuTop } from './intel-gpu-top.ts'
import { nvidiaSmiCommand, parseNvidiaSmi } from './nvidia-smi.ts'
import { parseRocmSmi } from './rocm-smi.ts'
import { ToolCards } from './tool-cards.ts'

const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/gpu', name), 'utf8')

describe('nvidia-smi', () => {
  const cards = parseNvidiaSmi(fixture('nvidia-smi-580-three-cards.csv'))

  it('tells of every card by the names of its columns', () => {
    expect(cards).toHaveLength(3)
    expect(cards?.[0]).toEqual({
      id: 'GPU-f7f151e1-78e1-5794-e494-2e94da2f0905',
      name: 'NVIDIA H200',
      utilizationPercent: 98,
      memoryUtilizationPercent: 16,
      memoryUsedBytes: 5832 * 2 ** 20,
      memoryTotalBytes: 143_771 * 2 ** 20,
      temperatureCelsius: 61,
      powerWatts: 692.41,
      powerLimitWatts: 700,
      clockMegahertz: 1755,
    })
  })

  it('leaves out what a card does not support, which is no 0', () => {
    expect(cards?.[2]).toMatchObject({
      utilizationPercent: Number.NaN,
      memoryUtilizationPercent: Number.NaN,
      powerWatts: Number.NaN,
      powerLimitWatts: Number.NaN,
      temperatureCelsius: 40,
    })
  })

  it('may print its columns in another order', () => {
    const reordered = fixture('nvidia-smi-580-three-cards.csv')
      .trim()
      .split('\n')
      .map((line) => line.split(',').toReversed().join(','))
    expect(parseNvidiaSmi(reordered.join('\n'))).toEqual(cards)
  })

  it('is not believed where it prints something else', () => {
    expect(parseNvidiaSmi('NVIDIA-SMI has failed')).toBeUndefined()
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseNvidiaSmi(`uuid, name\n${text}`)).toBeInstanceOf(Array)
      }),
      { seed: 3 },
    )
  })
})

describe('rocm-smi', () => {
  it('tells of every card, by whichever names its version has', () => {
    const [first, second, ...others] = parseRocmSmi(fixture('rocm-smi-6.2-two-cards.json')) ?? []
    expect(others).toEqual([])
    expect(first).toMatchObject({
      id: '0x8f1b3c2d4e5f6a7b',
      name: 'AMD INSTINCT MI210 (MCM) OAM AC MBA',
      utilizationPercent: 97,
      memoryUsedBytes: 29_542_154_240,
      memoryTotalBytes: 68_702_699_520,
      temperatureCelsius: 41,
      powerWatts: 301,
    })
    expect(second).toMatchObject({ id: 'card1', name: 'Radeon RX 7900 XT', powerWatts: 7.222 })
  })

  it('is not believed where it prints something else', () => {
    expect(parseRocmSmi('ERROR: no driver')).toBeUndefined()
    expect(parseRocmSmi('[1]')).toEqual([])
    expect(parseRocmSmi('null')).toBeUndefined()
  })
})

describe('intel_gpu_top', () => {
  it('tells by its last whole sample how busy the engines are that draw or compute', () => {
    expect(parseIntelGpuTop(fixture('intel-gpu-top-1.28-two-samples.json'))).toMatchObject([
      { utilizationPercent: 88.97058, clockMegahertz: 2098.769418, powerWatts: 146.265776 },
    ])
  })

  it('may have been cut off, and may write no commas', () => {
    expect(parseIntelGpuTop(fixture('intel-gpu-top-1.27-no-commas.json'))).toMatchObject([
      { utilizationPercent: 48.97058, powerWatts: Number.NaN },
    ])
  })

  it('is not believed where it prints something else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseIntelGpuTop(text)).toBeUndefined()
      }),
      { seed: 3 },
    )
  })
})

describe('cards by a tool', () => {
  it('are asked for every five seconds, and fail where it does', async () => {
    const machine = fakeSystem()
    let output: Reading<string> = ok(fixture('nvidia-smi-580-three-cards.csv'))
    let runs = 0
    const system = {
      ...machine,
      toolOutput: () => {
        runs += 1
        return Promise.resolve(output)
      },
    }
    const tool = { vendor: 'nvidia', command: nvidiaSmiCommand, parse: parseNvidiaSmi } as const
    const opened = await ToolCards.open(system, tool)
    if (opened.kind !== 'ok') throw new Error('not opened')
    const { value: source } = opened
    expect(source.cards.map(({ identity }) => identity.index)).toEqual([0, 1, 2])
    expect(source.cards[0]).toMatchObject({ utilizationPercent: 98, powerWatts: 692.41 })
    expect(source.cards[0]?.processes.loss).toBe('nvidia-smi does not tell of processes')
    source.look()
    expect(runs).toBe(1)
    output = unavailable('it is gone')
    machine.advance(6)
    source.look()
    source.look()
    await Promise.resolve()
    await Promise.resolve()
    expect(runs).toBe(2)
    expect(source.cards.map(({ failure }) => failure)).toEqual(Array(3).fill('it is gone'))
    expect(source.cards[0]?.utilizationPercent).toBeNaN()
  })
})
