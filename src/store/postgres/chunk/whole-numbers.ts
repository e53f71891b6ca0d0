import type { ByteReader, ByteWriter } from './bytes.ts'

/**
 * Units that figures are whole multiples of: bytes and counts, then fractions of seconds as clocks and files of the kernel
 * give them, then the last bit of a double of some size. A figure is its multiple divided by the unit, bit for bit.
 */
const units = [1, 1e2, 1e3, 1e6, 1e9, 2 ** 22, 2 ** 30, 2 ** 36, 2 ** 44]

/** Sums and differences of multiples up to here are exact. */
const largest = 2 ** 50

/** Figures as whole numbers of a unit, from the first of them. */
export interface WholeNumbers {
  readonly unit: number
  readonly first: number
  readonly steps: Float64Array
}

/** Undefined where the figures are no multiples of any of the units. */
export function wholeNumbers(values: Float64Array): WholeNumbers | undefined {
  for (let unit = 0; unit < units.length; unit += 1) {
    const found = multiplesOf(values, unit)
    if (found !== undefined) return found
  }
  return undefined
}

function multiplesOf(values: Float64Array, unit: number): WholeNumbers | undefined {
  const scale = units[unit] ?? 1
  const first = Math.round((values[0] ?? 0) * scale)
  const steps = new Float64Array(values.length)
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] ?? 0
    const multiple = Math.round(value * scale)
    const step = multiple - first
    if (!Number.isSafeInteger(multiple) || !(Math.abs(step) < largest)) return undefined
    // As it will be read: -0 is no multiple of anything.
    if (!Object.is((first + step) / scale, value)) return undefined
    steps[row] = step
  }
  return { unit, first, steps }
}

/** Differences of the numbers, or of their differences where those are smaller: a counter that grows evenly takes a byte a row. */
export function writeWhole(writer: ByteWriter, { unit, first, steps }: WholeNumbers): void {
  const shift = sharedZeros(steps)
  const scale = 2 ** shift
  const order = sizeOf(steps, scale, 2) < sizeOf(steps, scale, 1) ? 2 : 1
  writer.byte(unit)
  writer.byte(shift)
  writer.byte(order)
  writer.double(first)
  eachDifference(steps, scale, order, (difference) => writer.difference(difference))
}

export function readWhole(reader: ByteReader, count: number): Float64Array {
  const unit = units[reader.byte()]
  if (unit === undefined) throw new RangeError('a chunk has an unknown unit')
  const scale = 2 ** reader.byte()
  const order = reader.byte()
  const first = reader.double()
  const values = new Float64Array(count)
  values[0] = first / unit
  let step = 0
  let slope = 0
  for (let row = 1; row < count; row += 1) {
    const difference = reader.difference()
    slope = order === 2 ? slope + difference : difference
    step += slope
    values[row] = (first + step * scale) / unit
  }
  return values
}

/** How often all of them can be halved: memory comes in pages. */
function sharedZeros(steps: Float64Array): number {
  let shared = 30
  for (const step of steps) while (shared > 0 && step % 2 ** shared !== 0) shared -= 1
  return shared
}

function sizeOf(steps: Float64Array, scale: number, order: number): number {
  let size = 0
  eachDifference(steps, scale, order, (difference) => {
    size += Math.log2(1 + Math.abs(difference))
  })
  return size
}

function eachDifference(
  steps: Float64Array,
  scale: number,
  order: number,
  take: (difference: number) => void,
): void {
  let slope = 0
  for (let row = 1; row < steps.length; row += 1) {
    const next = ((steps[row] ?? 0) - (steps[row - 1] ?? 0)) / scale
    take(order === 2 ? next - slope : next)
    slope = next
  }
}
