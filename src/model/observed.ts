/** When a host was looked at for the first and the last time, as far as that is kept; in seconds since 1970. */
export interface HostExtent {
  readonly host: string
  readonly first: number
  readonly last: number
}

/** What was seen last before a time, and first after it; null where there is nothing. */
export interface Neighbours {
  readonly before: number | null
  readonly after: number | null
}
