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
