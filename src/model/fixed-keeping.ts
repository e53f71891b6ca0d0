/** Fixed decimals, or two digits of a figure too small for them: what was measured must not read as nothing. */
export function fixedKeeping(value: number, decimals: number): string {
  const text = value.toFixed(decimals)
  if (value === 0 || Math.abs(value) >= 1 || Number(text) !== 0) return text
  const smaller = 1 - Math.floor(Math.log10(Math.abs(value)))
  return value.toFixed(Math.min(smaller, 100))
}
