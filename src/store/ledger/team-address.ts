/** An address as people may see it: without what proves who somebody is. */
export function shownAddress(address: string): string {
  const [place = '', settings] = address.split('?', 2)
  const scheme = place.indexOf('://') + 3
  // A password may have any character in it that somebody forgot to encode.
  const rest = place.slice(scheme)
  const at = rest.lastIndexOf('@')
  const user = at < 0 ? '' : `${rest.slice(0, at).split(':', 1)[0] ?? ''}@`
  const shown = `${place.slice(0, scheme)}${user}${rest.slice(at + 1)}`
  if (settings === undefined) return shown
  const kept = settings.split('&').filter((setting) => !/pass/i.test(setting))
  return kept.length === 0 ? shown : `${shown}?${kept.join('&')}`
}
