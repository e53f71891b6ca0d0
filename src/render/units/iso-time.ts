/**
 * Seconds since 1970 as ISO 8601 in UTC with microseconds: `2025-10-15T10:30:00.000000`. Records add
 * a `Z` to it, because a time without a zone is read as local time by most programs; Python's
 * `datetime.fromisoformat` takes both forms (the `Z` since 3.11). Null where no calendar has the time.
 */
export function isoMicroseconds(secondsSince1970: number): string | null {
  const microseconds = Math.round(secondsSince1970 * 1e6)
  const milliseconds = Math.floor(microseconds / 1000)
  const date = new Date(milliseconds)
  const year = date.getUTCFullYear()
  if (!(year >= 0 && year <= 9999)) return null
  const rest = String(microseconds - milliseconds * 1000).padStart(3, '0')
  return date.toISOString().replace('Z', rest)
}

/** The same with its zone, as records have it. Null stays null. */
export function utcTime(secondsSince1970: number | null): string | null {
  const text = secondsSince1970 === null ? null : isoMicroseconds(secondsSince1970)
  return text === null ? null : `${text}Z`
}
