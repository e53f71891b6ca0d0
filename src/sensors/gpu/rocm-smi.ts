import { numberTold, untold, type ToldCard } from './told-card.ts'

export const rocmSmiCommand = [
  'rocm-smi',
  '--showuniqueid',
  '--showbus',
  '--showid',
  '--showproductname',
  '--showuse',
  '--showmemuse',
  '--showmeminfo',
  'vram',
  '--showtemp',
  '--showpower',
  '--showmaxpower',
  '--showclocks',
  '--json',
] as const

/** Versions of the tool name the same figure differently: the first of these that a card has. */
const names = {
  id: ['PCI Bus', 'Unique ID'],
  name: ['Card Series', 'Card series', 'Device Name'],
  model: ['Device ID', 'GPU ID'],
  use: ['GPU use (%)'],
  memoryUse: ['GPU Memory Read/Write Activity (%)', 'GPU memory use (%)'],
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
  powerLimit: ['Max Graphics Package Power (W)'],
  clock: ['sclk clock speed:'],
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
      id: fact(names.id)?.toLowerCase() ?? name,
      name: nameOf(fact(names.name), fact(names.model)),
      utilizationPercent: numberTold(fact(names.use)),
      memoryUtilizationPercent: numberTold(fact(names.memoryUse)),
      memoryUsedBytes: numberTold(fact(names.used)),
      memoryTotalBytes: numberTold(fact(names.total)),
      temperatureCelsius: numberTold(fact(names.temperature)),
      powerWatts: numberTold(fact(names.power)),
      powerLimitWatts: numberTold(fact(names.powerLimit)),
      // In brackets, such as `(300Mhz)`.
      clockMegahertz: numberTold(fact(names.clock)?.replace(/^\((.*)\)$/, '$1')),
    }
  })
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** `N/A`, or `N/A (Secondary die)`. */
const isTold = (value: string): boolean => value !== '' && !value.startsWith('N/A')

/** In place of a name that it does not know, the tool tells a number. */
const nameOf = (name: string | undefined, model: string | undefined): string =>
  name === undefined || name.startsWith('0x')
    ? `AMD GPU${model === undefined ? '' : ` ${model}`}`
    : name
