import { distinctNames } from '../../render/text/distinct-names.ts'
import { briefSeconds } from '../../render/units/brief-figures.ts'
import { ticks } from '../../render/units/ticks.ts'
import { drawn } from '../dom.ts'

type Scale = (value: number) => number

export const chart = (
  width: number,
  height: number,
  words: string,
  ...children: readonly Node[]
): SVGSVGElement =>
  drawn(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': words },
    ...children,
  )

export const label = (
  x: number,
  y: number,
  text: string,
  attributes: Readonly<Record<string, string>> = {},
): SVGTextElement => drawn('text', { x, y, ...attributes }, text)

/** A name to the left of its line, which may be shortened. */
export const nameLabel = (x: number, y: number, text: string, more = ''): SVGTextElement =>
  label(x, y, text, {
    class: `name${more}`,
    'text-anchor': 'end',
    'dominant-baseline': 'central',
  })

/** Lines across a chart at these values, each with its figure to the left. */
export const levels = (
  values: readonly number[],
  y: Scale,
  words: (value: number) => string,
  [left, right]: readonly [left: number, right: number],
): SVGGElement[] =>
  values.map((at) =>
    drawn(
      'g',
      {},
      drawn('path', { class: 'grid', d: `M${left} ${y(at).toFixed(1)}H${right}` }),
      label(left - 8, y(at), words(at), {
        class: 'tick',
        'text-anchor': 'end',
        'dominant-baseline': 'central',
      }),
    ),
  )

/** Lines down a chart at these values. */
export const uprights = (values: readonly number[], x: Scale, height: number): SVGPathElement =>
  drawn('path', {
    class: 'grid',
    d: values.map((at) => `M${x(at).toFixed(1)} 0V${height}`).join(''),
  })

/** Figures under or above a chart; the last stands before its mark where it would be cut. */
export const figuresAlong = (
  values: readonly number[],
  words: (value: number) => string,
  x: Scale,
  width: number,
  y: number,
): SVGTextElement[] =>
  values.map((at) =>
    label(x(at), y, words(at), {
      class: 'tick',
      'text-anchor': at === 0 ? 'start' : x(at) > width - 40 ? 'end' : 'middle',
    }),
  )

export const timeLabels = (
  most: number,
  wanted: number,
  x: Scale,
  width: number,
  y: number,
): SVGTextElement[] => figuresAlong(ticks(most, wanted, 60), briefSeconds, x, width, y)

/** The line through values at even steps, as the `d` of a path. */
export const lineThrough = (values: readonly number[], x: Scale, y: Scale): string =>
  values
    .map(
      (value, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`,
    )
    .join('')

/** The highest of any number of values: a call takes some 120,000 arguments. */
export const highestOf = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), 0)

/** Makes the names in a chart as short as their room, and keeps them apart. */
export function shortenNames(svg: SVGSVGElement, most: number): void {
  const labels = [...svg.querySelectorAll<SVGTextElement>('.name')]
  const names = labels.map(({ textContent }) => textContent)
  // All in the widest letters that there are: names that are cut at different places hide that they have both ends in common.
  const widest = svg.querySelector<SVGTextElement>('.name.strong') ?? labels[0]
  if (widest === undefined) return
  const short = distinctNames(names, (name) => shortened(widest, name, most))
  for (const [index, text] of labels.entries()) text.textContent = short[index] ?? ''
}

/** As much of a name as has room in this text, its end included: names of many jobs differ in their ends. */
function shortened(text: SVGTextElement, name: string, most: number): string {
  const whole = Array.from(name)
  const fits = (words: string): boolean => {
    text.textContent = words
    return text.getComputedTextLength() <= most
  }
  if (whole.length * 14 < most || fits(name)) return name
  const keeping = (count: number): string => {
    const end = Math.floor(count * 0.4)
    return [...whole.slice(0, count - end), '…', ...whole.slice(whole.length - end)].join('')
  }
  let [kept, tooMany] = [0, whole.length]
  while (kept + 1 < tooMany) {
    const tried = (kept + tooMany) >> 1
    if (fits(keeping(tried))) kept = tried
    else tooMany = tried
  }
  return keeping(kept)
}
