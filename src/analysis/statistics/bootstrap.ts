import { quantileSorted } from 'simple-statistics'

export interface Interval {
  readonly low: number
  readonly high: number
}

/** The same job on both sides. */
export interface Pair {
  readonly a: number
  readonly b: number
}

const draws = 2000
/** Of more than these it takes a second and more to draw each one anew, 2,000 times for each of five figures. */
const mostDrawn = 4096

type Random = () => number

/**
 * Where the ratio of the medians (b ÷ a) lies in 95 of 100 cases when the values are drawn anew from themselves. The
 * draws are the same every time: the same records give the same answer on every machine.
 */
export function medianRatioInterval(
  a: readonly number[],
  b: readonly number[],
): Interval | undefined {
  const drawA = medianDrawer(a)
  const drawB = medianDrawer(b)
  return intervalOf((random) => {
    const medianA = drawA(random)
    return drawB(random) / medianA
  })
}

/** The same for the ratio of the totals, where pairs are drawn. */
export function totalRatioInterval(pairs: readonly Pair[]): Interval | undefined {
  const drawn = pairs.length > mostDrawn ? inHeaps(pairs) : pairs
  const a = Float64Array.from(drawn, (pair) => pair.a)
  const b = Float64Array.from(drawn, (pair) => pair.b)
  const count = drawn.length
  return intervalOf((random) => {
    let totalA = 0
    let totalB = 0
    for (let taken = 0; taken < count; taken += 1) {
      const at = Math.floor(random() * count)
      totalA += a[at] ?? Number.NaN
      totalB += b[at] ?? Number.NaN
    }
    return totalB / totalA
  })
}

function intervalOf(draw: (random: Random) => number): Interval | undefined {
  const random = generator(20_251_015)
  const figures: number[] = []
  for (let drawn = 0; drawn < draws; drawn += 1) {
    const figure = draw(random)
    if (Number.isFinite(figure)) figures.push(figure)
  }
  if (figures.length < draws / 2) return undefined
  figures.sort((left, right) => left - right)
  return { low: quantileSorted(figures, 0.025), high: quantileSorted(figures, 0.975) }
}

/** Draws as many of the values as there are, again and again, and answers the median of each draw. */
function medianDrawer(values: readonly number[]): (random: Random) => number {
  const sorted = Float64Array.from(values).sort()
  return values.length > mostDrawn ? medianByPlace(sorted) : medianByCount(values, sorted)
}

/** Counts how often each value was drawn: sorting every draw takes ten times as long. */
function medianByCount(
  values: readonly number[],
  sorted: Float64Array,
): (random: Random) => number {
  const places = placesOf(values)
  const count = values.length
  const counts = new Int32Array(count)
  const half = count >> 1
  return (random) => {
    counts.fill(0)
    for (let taken = 0; taken < count; taken += 1) {
      const place = places[Math.floor(random() * count)] ?? 0
      counts[place] = (counts[place] ?? 0) + 1
    }
    let place = -1
    let passed = 0
    const valueAt = (rank: number): number => {
      while (passed <= rank) passed += counts[++place] ?? 1
      return sorted[place] ?? Number.NaN
    }
    if (count % 2 === 1) return valueAt(half)
    const lower = valueAt(half - 1)
    return (lower + valueAt(half)) / 2
  }
}

/** Where each value stands among the sorted ones. */
function placesOf(values: readonly number[]): Int32Array {
  const order = Array.from(values, (_, index) => index)
  order.sort((left, right) => (values[left] ?? 0) - (values[right] ?? 0))
  const places = new Int32Array(values.length)
  order.forEach((index, place) => (places[index] = place))
  return places
}

/**
 * How many draws fall below a value is binomial, so the median of a draw stands √n/2 places (one standard deviation) about
 * the middle of the sorted values. From thousands of values on, that is the distribution itself to a part in a thousand.
 */
function medianByPlace(sorted: Float64Array): (random: Random) => number {
  const last = sorted.length - 1
  const deviation = Math.sqrt(sorted.length) / 2
  return (random) => {
    const place = Math.round(last / 2 + deviation * gaussian(random))
    return sorted[Math.min(last, Math.max(0, place))] ?? Number.NaN
  }
}

/**
 * Pairs in equal heaps by chance. Totals of drawn heaps stray as totals of drawn pairs do, and a pair that outweighs
 * all others is still drawn never, once or twice.
 */
function inHeaps(pairs: readonly Pair[]): Pair[] {
  const random = generator(20_261_115)
  const shuffled = [...pairs]
  const heaps = Array.from({ length: mostDrawn }, () => ({ a: 0, b: 0 }))
  for (let left = shuffled.length; left > 0; left -= 1) {
    const at = Math.floor(random() * left)
    const pair = shuffled[at]
    const heap = heaps[left % mostDrawn]
    if (pair === undefined || heap === undefined) continue
    heap.a += pair.a
    heap.b += pair.b
    shuffled[at] = shuffled[left - 1] ?? pair
  }
  return heaps
}

const gaussian = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** Numbers from 0 to 1 (mulberry32): small, quick and good enough to draw from a list. */
function generator(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
