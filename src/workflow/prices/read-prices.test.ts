import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gpuHourPrice } from '../../model/prices.ts'
import { formatSpecError } from '../spec/problem.ts'
import { readPrices } from './read-prices.ts'

const whole = `currency: EUR
core_hour: 0.04
memory_gb_hour: 0.005
gpu_hour:
  H200: 3.5
  "RTX 6000": 1.1
  default: 2
kwh: 0.3
storage_gb_month: 0.02
carbon_intensity_g_per_kwh: 380
watts_per_core: 8
`

function errorsIn(text: string, file = 'prices.yaml'): string[] {
  const result = readPrices(text, file)
  return result.kind === 'ok' ? [] : result.errors.map(formatSpecError)
}

function pricesIn(text: string, file = 'prices.yaml') {
  const result = readPrices(text, file)
  if (result.kind !== 'ok') throw new Error(result.errors.map(formatSpecError).join('\n'))
  return result.value
}

describe('a price file', () => {
  it('is read whole', () => {
    expect(pricesIn(whole)).toEqual({
      currency: 'EUR',
      coreHour: 0.04,
      memoryGbHour: 0.005,
      gpuHour: { H200: 3.5, 'RTX 6000': 1.1, default: 2 },
      kwh: 0.3,
      storageGbMonth: 0.02,
      carbonGramsPerKwh: 380,
      wattsPerCore: 8,
    })
  })

  it('may be JSON, and may leave out what has no price', () => {
    const prices = pricesIn('{"currency": "USD", "gpu_hour": 2}', 'prices.json')
    expect(prices).toMatchObject({ currency: 'USD', coreHour: null, kwh: null })
    expect(gpuHourPrice(prices, 'any card')).toBe(2)
  })

  it('is told all its errors at once, each with its place', () => {
    expect(errorsIn('curency: EUR\ncore_hour: -1\nkwh: dear\ngpu_hour: { H200: cheap }\n')).toEqual(
      [
        'prices.yaml:1:1: "currency" is missing',
        'prices.yaml:1:1 curency: unknown key. Did you mean "currency"?',
        'prices.yaml:2:12 core_hour: must be at least 0',
        'prices.yaml:3:6 kwh: expected a number, found "dear"',
        'prices.yaml:4:19 gpu_hour.H200: expected a number, found "cheap"',
      ],
    )
    expect(errorsIn('{"currency": "EUR",\n "kwh": }', 'p.json')[0]).toMatch(/^p\.json:2:9.*JSON/)
    expect(errorsIn('- 1')[0]).toMatch(/^prices\.yaml:1:1: expected a mapping/)
    expect(errorsIn('')[0]).toMatch(/^prices\.yaml:1:1: expected a mapping/)
  })

  it('has no price that no money could pay', () => {
    expect(errorsIn('currency: EUR\ncore_hour: 1.0e+308\nkwh: .inf\n')).toEqual([
      'prices.yaml:2:12 core_hour: must be at most 1000000000000',
      expect.stringMatching(/^prices\.yaml:3:6 kwh: /),
    ])
    expect(errorsIn('currency: EUR\ngpu_hour: 1.0e+13\n')).toHaveLength(1)
    expect(errorsIn('currency: EUR\ngpu_hour: { H200: 1.0e+13 }\n')).toHaveLength(1)
    expect(errorsIn('currency: IRR\ncore_hour: 1000000000000\nwatts_per_core: 1000\n')).toEqual([])
    expect(errorsIn('currency: EUR\nwatts_per_core: 1001\n')).toEqual([
      'prices.yaml:2:17 watts_per_core: must be at most 1000',
    ])
    expect(errorsIn('currency: EUR\ncarbon_intensity_g_per_kwh: 1.0e+7\n')).toHaveLength(1)
  })

  it.each([
    ['.inf', 'infinity'],
    ['-.inf', '-infinity'],
    ['1e999', 'infinity'],
    ['.nan', 'NaN'],
  ])('has no price of %s', (written, found) => {
    expect(errorsIn(`currency: EUR\nkwh: ${written}\n`)).toEqual([
      `prices.yaml:2:6 kwh: expected a number, found ${found}`,
    ])
  })

  it('is not called a workflow file where it holds a second document', () => {
    expect(errorsIn('currency: EUR\nkwh: 1\n---\ncurrency: USD\n')).toEqual([
      'prices.yaml:3:1: the file must hold one document, but a second one starts here',
    ])
  })

  it.each([
    String.raw`"EU\nR"`,
    String.raw`"\e[31mEUR"`,
    String.raw`"EUR\t"`,
    String.raw`"\u202EEUR"`,
  ])('has a currency of one line, not %s', (currency) => {
    expect(errorsIn(`kwh: 1\ncurrency: ${currency}\n`)).toEqual([
      'prices.yaml:2:11 currency: must be one line, without control characters',
    ])
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(whole.length), (noise, at) => {
        const text = whole.slice(0, at) + noise + whole.slice(at)
        expect(['ok', 'invalid']).toContain(readPrices(text, 'prices.yaml').kind)
      }),
    )
  })
})

describe('the price of a card', () => {
  const prices = pricesIn(whole)

  it.each([
    ['NVIDIA H200', 3.5],
    ['nvidia h200 nvl', 3.5],
    ['NVIDIA RTX 6000 Ada Generation', 1.1],
    ['AMD Instinct MI300X', 2],
    [null, 2],
  ])('of %s is %d', (model, price) => {
    expect(gpuHourPrice(prices, model)).toBe(price)
  })

  it('is unknown where no name fits', () => {
    expect(gpuHourPrice({ ...prices, gpuHour: { H200: 3.5 } }, 'A100')).toBeNull()
  })
})
