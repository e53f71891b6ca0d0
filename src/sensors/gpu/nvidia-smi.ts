import { numberTold, untold, type ToldCard } from './told-card.ts'

const mebibyte = 2 ** 20

/** What is asked for; the answer names its columns, and is read by these names. */
const fields = [
  'uuid',
  'name',
  'utilization.gpu',
  'utilization.memory',
  'memory.used',
  'memory.total',
  'temperature.gpu',
  'power.draw',
  'enforced.power.limit',
  'clocks.sm',
] as const

export const nvidiaSmiCommand = [
  'nvidia-smi',
  `--query-gpu=${fields.join(',')}`,
  '--format=csv',
] as const

/** The names of columns, each perhaps with a unit: `power.draw [W]`, `clocks.current.sm [MHz]`. */
const aliases: Readonly<Record<string, string>> = { 'clocks.current.sm': 'clocks.sm' }

/** Cards in the order of the tool; undefined for what is not its output. */
export function parseNvidiaSmi(text: string): ToldCard[] | undefined {
  const [header = '', ...lines] = text.trim().split('\n')
  const names = header.split(',').map((column) => {
    const name = column.replace(/\[.*\]/, '').trim()
    return aliases[name] ?? name
  })
  if (!names.includes('uuid')) return undefined
  return lines.flatMap((line) => {
    const cells = line.split(',').map((cell) => cell.trim())
    // A name could have a comma in it: then nothing stands where it should.
    if (cells.length !== names.length) return []
    const cell = (name: (typeof fields)[number]): string | undefined => cells[names.indexOf(name)]
    return [
      {
        ...untold,
        id: cell('uuid') ?? '',
        name: cell('name') ?? 'NVIDIA GPU',
        utilizationPercent: numberTold(cell('utilization.gpu')),
        memoryUtilizationPercent: numberTold(cell('utilization.memory')),
        memoryUsedBytes: numberTold(cell('memory.used')) * mebibyte,
        memoryTotalBytes: numberTold(cell('memory.total')) * mebibyte,
        temperatureCelsius: numberTold(cell('temperature.gpu')),
        powerWatts: numberTold(cell('power.draw')),
        powerLimitWatts: numberTold(cell('enforced.power.limit')),
        clockMegahertz: numberTold(cell('clocks.sm')),
      },
    ]
  })
}
