/** Fixed decimals, or two digits of a figure too small for them: what was measured must not read as nothing. */
export function fixedKeeping(value: number, decimals: number): string {
  const text = fixed(value, decimals)
  if (value === 0 || Math.abs(value) >= 1 || Number(text) !== 0) return text
  const smaller = 1 - Math.floor(Math.log10(Math.abs(value)))
  return value.toFixed(Math.min(smaller, 100))
}

/** What `value.toFixed(decimals)` is, in half the time where it is a figure such as tables have. */
export function fixed(value: number, decimals: number): string {
  const scale = decimals === 2 ? 100 : decimals === 1 ? 10 : undefined
  if (scale === undefined || !(value >= 0 && value < 1e6)) return value.toFixed(decimals)
  const scaled = value * scale
  const below = Math.floor(scaled)
  const rest = scaled - below
  // The product is rounded itself, which could decide half-way between two.
  if (Math.abs(rest - 0.5) < 2 ** -12) return value.toFixed(decimals)
  const count = rest > 0.5 ? below + 1 : below
  const whole = Math.floor(count / scale)
  const part = count - whole * scale
  return `${whole}.${scale === 100 && part < 10 ? '0' : ''}${part}`
}

/** For the decimals that figures have: a power takes longer than all else of rounding. */
const powersOfTen = [1, 10, 100, 1e3, 1e4, 1e5, 1e6]

/** Rounds, but never to 0: what was measured must not read as nothing. */
export function roundKeeping(value: number, decimals: number): number {
  // Most figures are counts, and rounding by way of text is slow: only numbers half-way
  // between two need it, where the product's own rounding could decide. -0 becomes 0.
  if (Number.isInteger(value)) return value + 0
  const scale = powersOfTen[decimals] ?? 10 ** decimals
  const scaled = Math.abs(value) * scale
  const rounded =
    scaled < 2 ** 40 && Math.abs(scaled - Math.floor(scaled) - 0.5) > 2 ** -12
      ? (Math.sign(value) * Math.round(scaled)) / scale
      : Number(value.toFixed(decimals))
  return rounded === 0 && value !== 0 ? Number(value.toPrecision(3)) : rounded
}
