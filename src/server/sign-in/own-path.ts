/** A path of ours, whatever is asked for: nobody is sent elsewhere. `address`: what people type to come here. */
export function ownPath(next: string, address: URL): string {
  const url = URL.parse(next, address.href)
  if (url === null || url.origin !== address.origin) return '/'
  // Two slashes at the beginning would name another server.
  return `/${url.pathname.replace(/^\/+/, '')}${url.search}`
}
