import { numberTold, untold, type ToldCard } from './told-card.ts'

export const rocmSmiCommand = [
  'rocm-smi',
  '--showuniqueid',
  '--showproductname',
  '--showuse',
  '--showmeminfo',
  'vram',
  '--showtemp',
  '--showpower',
  '--json',
] as const

/** Versions of the tool name the same figure differently: the first of these that a card has. */
const names = {
  name: ['Card Series', 'Card series', 'Card Model', 'Card model', 'Device Name'],
  use: ['GPU use (%)'],
  used: ['VRAM Total Used Memory (B)'],
  total: ['VRAM Total Memory (B)'],
  temperature: [
    'Temperature (Sensor edge) (C)',
    'Temperature (Sensor junction) (C)',
    'Temperature (Sensor memory) (C)',
  ],
  power: [
    'Average Graphics Package Power (W)',
    'Current Socket Graphics Package Power (W)',
    'Average Graphics Package Power',
  ],
} as const

/** Cards by their names, `card0` and up; undefined for what is not its output. */
export function parseRocmSmi(text: string): ToldCard[] | undefined {
  let told: unknown
  try {
    // Warnings may stand before it.
    told = JSON.parse(text.slice(Math.max(0, text.indexOf('{'))))
  } catch {
    return undefined
  }
  if (typeof told !== 'object' || told === null) return undefined
  const cards = Object.entries(told)
    .filter(([name, facts]) => /^card\d+$/.test(name) && typeof facts === 'object')
    .toSorted(([one], [other]) => Number(one.slice(4)) - Number(other.slice(4)))
  return cards.map(([name, facts]) => {
    const fact = (keys: readonly string[]): string | undefined => {
      const found = keys.map((key) => (facts as Record<string, unknown>)[key])
      return found.map(textOf).find(isTold)
    }
    return {
      ...untold,
      id: fact(['Unique ID']) ?? name,
      name: fact(names.name) ?? 'AMD GPU',
      utilizationPercent: numberTold(fact(names.use)),
      memoryUsedBytes: numberTold(fact(names.used)),
      memoryTotalBytes: numberTold(fact(names.total)),
      temperatureCelsius: numberTold(fact(names.temperature)),
      powerWatts: numberTold(fact(names.power)),
    }
  })
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

const isTold = (value: string): boolean => value !== '' && value !== 'N/A'
