import { untold, type ToldCard } from './told-card.ts'

/** It streams until it is stopped. Newer versions stop by themselves if told to; older ones refuse to run then. */
const streaming = ['intel_gpu_top', '-J', '-s', '500'] as const
export const intelGpuTopCommands = [[...streaming, '-n', '2'], streaming] as const

interface Sample {
  readonly engines?: Readonly<Record<string, { readonly busy?: number }>>
  readonly frequency?: { readonly actual?: number }
  readonly power?: { readonly GPU?: number; readonly Package?: number }
}

/**
 * The card that the tool looks at, by its last sample: the busiest engine of those that draw or compute. The stream is an
 * array that may not be closed, and older versions leave the commas out.
 */
export function parseIntelGpuTop(text: string): ToldCard[] | undefined {
  const sample = lastObject(text) as Sample | undefined
  if (sample?.engines === undefined) return undefined
  const busy = Object.entries(sample.engines)
    .filter(([name]) => /^(Render\/3D|Compute|\[unknown\])/.test(name))
    .flatMap(([, engine]) => (typeof engine.busy === 'number' ? [engine.busy] : []))
  return [
    {
      ...untold,
      id: 'intel_gpu_top',
      name: 'Intel GPU',
      utilizationPercent: busy.length === 0 ? Number.NaN : Math.min(100, Math.max(...busy)),
      clockMegahertz: sample.frequency?.actual ?? Number.NaN,
      powerWatts: sample.power?.GPU ?? Number.NaN,
      // It tells of the package only where the card is part of it.
      isInCpuPackage: sample.power?.Package !== undefined,
    },
  ]
}

/** The last whole `{…}` of the outermost level. */
function lastObject(text: string): unknown {
  let [depth, from, last] = [0, 0, '']
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === '"' && text[at - 1] !== '\\') inText = !inText
    if (inText) continue
    if (letter === '{' && depth++ === 0) from = at
    if (letter === '}' && depth > 0 && --depth === 0) last = text.slice(from, at + 1)
  }
  try {
    return last === '' ? undefined : JSON.parse(last)
  } catch {
    return undefined
  }
}
