/** Fixed decimals, or two digits of a figure too small for them: what was measured must not read as nothing. */
export function fixedKeeping(value: number, decimals: number): string {
  const text = value.toFixed(decimals)
  if (value === 0 || Math.abs(value) >= 1 || Number(text) !== 0) return text
  const smaller = 1 - Math.floor(Math.log10(Math.abs(value)))
  return value.toFixed(Math.min(smaller, 100))
}

/** Rounds, but never to 0: what was measured must not read as nothing. */
export function roundKeeping(value: number, decimals: number): number {
  // Most figures are counts, and rounding by way of text is slow: only numbers half-way
  // between two need it, where the product's own rounding could decide. -0 becomes 0.
  if (Number.isInteger(value)) return value + 0
  const scale = 10 ** decimals
  const scaled = Math.abs(value) * scale
  const rounded =
    scaled < 2 ** 40 && Math.abs(scaled - Math.floor(scaled) - 0.5) > 2 ** -12
      ? (Math.sign(value) * Math.round(scaled)) / scale
      : Number(value.toFixed(decimals))
  return rounded === 0 && value !== 0 ? Number(value.toPrecision(3)) : rounded
}
