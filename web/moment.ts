/** Seconds since 1970 of a moment as the server writes it. */
export function momentSeconds(moment: string | null): number | null {
  if (moment === null) return null
  const milliseconds = Date.parse(moment)
  return Number.isNaN(milliseconds) ? null : milliseconds / 1000
}
