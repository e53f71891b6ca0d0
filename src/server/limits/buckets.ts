import { isIP } from 'node:net'

interface Bucket {
  tokens: number
  filledAt: number
}

export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

const mostKeys = 10_000

/** How often each may do something: so many at once, and then as many as trickle in. */
export class Buckets {
  readonly #rate: Rate
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()

  /** `now`: in seconds, from any start. */
  constructor(rate: Rate, now: () => number) {
    this.#rate = rate
    this.#now = now
  }

  /** How many seconds are to be waited; 0: go on, and it is counted. */
  take(key: string): number {
    const { perSecond, burst } = this.#rate
    const now = this.#now()
    const { tokens, filledAt } = this.#buckets.get(key) ?? { tokens: burst, filledAt: now }
    const filled = Math.min(burst, tokens + (now - filledAt) * perSecond)
    const isFree = filled >= 1
    // Put at the end again: the one that was not asked about for the longest time is the first to go.
    this.#buckets.delete(key)
    this.#buckets.set(key, { tokens: isFree ? filled - 1 : filled, filledAt: now })
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size > mostKeys && oldest !== undefined) this.#buckets.delete(oldest)
    return isFree ? 0 : (1 - filled) / perSecond
  }
}

/** One subscriber of IPv6 has 2^64 addresses, and counts as one. */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(8 - first.length - last.length).fill('0')
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}
