/** Asks for a lock on an open file, without waiting for it. `unavailable` where this machine or disk has none. */
export type TryLock = (
  descriptor: number,
  kind: 'exclusive' | 'shared',
) => 'got' | 'held by another' | 'unavailable'
