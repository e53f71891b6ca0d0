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
      isInCpuPackage: false,
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
  it('tells of every card by its address, as the kernel writes it', () => {
    const cards = parseRocmSmi(fixture('rocm-smi-5.7-mi100.json')) ?? []
    expect(cards.map(({ id }) => id)).toEqual(['0000:1e:00.0', '0000:22:00.0'])
    expect(cards[1]).toEqual({
      id: '0000:22:00.0',
      name: 'Arcturus GL-XL [Instinct MI100]',
      utilizationPercent: 0,
      memoryUtilizationPercent: 0,
      memoryUsedBytes: 6_782_976,
      memoryTotalBytes: 34_342_961_152,
      temperatureCelsius: 30,
      powerWatts: 37,
      powerLimitWatts: 290,
      clockMegahertz: 300,
      isInCpuPackage: false,
    })
  })

  it('is understood by whichever names its version has', () => {
    const [old] = parseRocmSmi(fixture('rocm-smi-4.3-rx-6700-xt.json')) ?? []
    const [newer] = parseRocmSmi(fixture('rocm-smi-6.1-rx-6700-xt.json')) ?? []
    const same = {
      id: '0000:07:00.0',
      temperatureCelsius: 45,
      powerWatts: 6,
      powerLimitWatts: 211,
      memoryUtilizationPercent: 0,
      memoryTotalBytes: 12_868_124_672,
    }
    expect(old).toMatchObject({ ...same, memoryUsedBytes: 1_622_728_704, clockMegahertz: 500 })
    expect(newer).toMatchObject({ ...same, memoryUsedBytes: 1_572_745_216, clockMegahertz: 0 })
    expect(newer?.name).toBe('Navi 22 [Radeon RX 6700/6700 XT / 6800M]')
  })

  it('gives a card the number of its model where it has no name for it', () => {
    expect(parseRocmSmi(fixture('rocm-smi-4.3-rx-6700-xt.json'))?.[0]?.name).toBe('AMD GPU 0x73df')
    expect(parseRocmSmi(fixture('rocm-smi-vega-10.json'))?.[0]?.name).toBe('AMD GPU 0x6861')
  })

  it('leaves out what it does not tell of a card in a CPU, or of the second half of one', () => {
    const [shared] = parseRocmSmi(fixture('rocm-smi-6.2-radeon-780m.json')) ?? []
    expect(shared).toMatchObject({
      id: '0000:c4:00.0',
      name: 'Phoenix3',
      utilizationPercent: 19,
      memoryUsedBytes: Number.NaN,
      powerWatts: 7.222,
      powerLimitWatts: Number.NaN,
      clockMegahertz: 800,
    })
    const [first, second] = parseRocmSmi(fixture('rocm-smi-mi250x.json')) ?? []
    expect(first).toMatchObject({ utilizationPercent: 100, powerWatts: 128, powerLimitWatts: 560 })
    expect(second).toMatchObject({
      id: '0x87fc3ea34b2236f3',
      name: 'AMD INSTINCT MI200 (MCM) OAM LC MBA HPE C2',
      temperatureCelsius: 64,
      powerWatts: Number.NaN,
    })
  })

  it('may warn before it tells', () => {
    const warning = 'WARNING: AMD GPU device(s) is/are in a low-power state.\n\n'
    const output = fixture('rocm-smi-vega-10.json')
    expect(parseRocmSmi(`${warning}${output}`)).toEqual(parseRocmSmi(output))
  })

  it('is not believed where it prints something else', () => {
    expect(parseRocmSmi('ERROR: no driver')).toBeUndefined()
    expect(parseRocmSmi('[1]')).toEqual([])
    expect(parseRocmSmi('null')).toBeUndefined()
  })
})

describe('intel_gpu_top', () => {
  it('tells by its last sample how busy the engines are that draw, with commas or without', () => {
    const stream = fixture('intel-gpu-top-integrated.json')
    const told = [
      {
        utilizationPercent: 8.314239,
        clockMegahertz: 0,
        powerWatts: 0.124626,
        isInCpuPackage: true,
      },
    ]
    expect(parseIntelGpuTop(stream)).toMatchObject(told)
    expect(parseIntelGpuTop(stream.replaceAll('}\n\n{', '},\n{'))).toMatchObject(told)
  })

  it('tells no power of a card that is not in a CPU, and need not close its list', () => {
    expect(parseIntelGpuTop(fixture('intel-gpu-top-arc-a380.json'))).toMatchObject([
      {
        utilizationPercent: 48.97058,
        clockMegahertz: 438.731275,
        powerWatts: Number.NaN,
        isInCpuPackage: false,
      },
    ])
    expect(parseIntelGpuTop(fixture('intel-gpu-top-arc-a770.json'))).toMatchObject([
      { utilizationPercent: 10.876027, clockMegahertz: 533.632306, powerWatts: Number.NaN },
    ])
  })

  it('takes the last whole sample where it was cut off', () => {
    const stream = fixture('intel-gpu-top-integrated.json')
    const cut = stream.slice(0, stream.lastIndexOf('"Video"'))
    expect(parseIntelGpuTop(cut)).toMatchObject([{ utilizationPercent: 0, powerWatts: 0 }])
  })

  it('takes the busiest of the engines that draw or compute, as versions have named them', () => {
    const sample = (engines: Readonly<Record<string, number>>): string =>
      JSON.stringify({
        engines: Object.fromEntries(
          Object.entries(engines).map(([name, busy]) => [name, { busy, unit: '%' }]),
        ),
        clients: { 4293539623: { name: 'a "quoted" } name', pid: '77' } },
      })
    const busyOf = (engines: Readonly<Record<string, number>>): number | undefined =>
      parseIntelGpuTop(sample(engines))?.[0]?.utilizationPercent
    expect(busyOf({ 'Render/3D': 12, Blitter: 99, Compute: 89 })).toBe(89)
    expect(busyOf({ 'Render/3D/0': 49, 'Blitter/0': 99 })).toBe(49)
    expect(busyOf({ 'Render/3D/0': 1, '[unknown]/0': 70, '[unknown]/1': 20 })).toBe(70)
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
    output = ok(fixture('nvidia-smi-580-three-cards.csv'))
    machine.advance(6)
    source.look()
    await Promise.resolve()
    await Promise.resolve()
    expect(source.cards[0]).toMatchObject({
      failure: null,
      processes: { loss: 'nvidia-smi does not tell of processes' },
    })
  })
})
