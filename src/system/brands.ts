import type { Libc } from './libc.ts'

const RLIMIT_LOCKS = 10
/** struct rlimit: what holds, and how far that may be raised. */
const STRUCT_BYTES = 16
/** As many as anybody starts. With the random part before it, a number is exact in JavaScript. */
const mostGiven = 2 ** 31

/**
 * A number for each job that its processes inherit, and that none of them loses: not with its parent, its session or its
 * environment, nor when it dies. It is their limit of file locks, which Linux has had no use for since 2.4.25 and which
 * anybody may lower. A v1 cgroup forgets a process as soon as that ends.
 */
export class Brands {
  readonly #libc: Libc
  readonly #limit = Buffer.alloc(STRUCT_BYTES)
  /** A jobmeter that runs inside a job of ours gives numbers too. */
  readonly #base = Math.floor(Math.random() * 2 ** 21) * mostGiven
  #given = 0
  /** Our own limit; null where there is no room for ours below it, or no such call. */
  #own: Buffer | null | undefined

  constructor(libc: Libc) {
    this.#libc = libc
  }

  /** One that nobody has had; undefined where none can be given. */
  next(): number | undefined {
    this.#own ??= this.#readOwn()
    if (this.#own === null || this.#given === mostGiven) return undefined
    this.#given += 1
    return this.#base + this.#given
  }

  /** Has all that is started meanwhile be born with it. */
  during<T>(brand: number, start: () => T): T {
    if (!this.give(0, brand)) return start()
    try {
      return start()
    } finally {
      this.#set(0, this.#own)
    }
  }

  /** To a process that runs already: whoever it started before goes without. False where that is not allowed. */
  give(pid: number, brand: number): boolean {
    if (!this.#own) return false
    this.#own.copy(this.#limit)
    this.#limit.writeBigUInt64LE(BigInt(brand), 0)
    return this.#set(pid, this.#limit)
  }

  /** That of a process, which may be dead; null where it has none of ours. */
  of(pid: number): number | null {
    if (this.#given === 0 || !this.#read(pid)) return null
    const brand = Number(this.#limit.readBigUInt64LE(0))
    return brand > this.#base && brand <= this.#base + this.#given ? brand : null
  }

  #readOwn(): Buffer | null {
    if (!this.#read(0)) return null
    const isRoomy = this.#limit.readBigUInt64LE(8) > BigInt(this.#base + mostGiven)
    return isRoomy ? Buffer.from(this.#limit) : null
  }

  #read(pid: number): boolean {
    return this.#libc.prlimit(pid, RLIMIT_LOCKS, null, this.#limit) === 0
  }

  #set(pid: number, limit: Buffer | null | undefined): boolean {
    return this.#libc.prlimit(pid, RLIMIT_LOCKS, limit ?? null, null) === 0
  }
}
