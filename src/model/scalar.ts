/** What a text stands for: one that reads as a JSON number, boolean or null is one. */
export function parseScalar(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    // 1e400 and 12345678901234567890 would not come back as they were written: they stay text.
    return typeof value === 'number' && String(value) !== text ? text : value
  } catch {
    return text
  }
}
