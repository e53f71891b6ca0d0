import { isLeftOut } from '../../../../sensors/procfs/net-dev.ts'

/** An interface as it was last seen. */
interface Counted {
  /** Undefined while it was never told. */
  index: number | undefined
  receivedBytes: number
  sentBytes: number
  /** When that was. */
  look: number
}

/**
 * What the interfaces of a namespace count from when each is first seen in it. One that was moved in has counted for others
 * before, and none says whether it was: what went through it before is left out.
 */
export class CountedInterfaces {
  receivedBytes = 0
  sentBytes = 0
  /** Whether something had gone through one of them before it was first seen. */
  hadMore = false
  readonly #known = new Map<string, Counted>()
  #look = 0

  /** Each interface that a look finds. `index`: its number, where that is told. */
  take(name: string, receivedBytes: number, sentBytes: number, index?: number): void {
    if (isLeftOut(name)) return
    const known = this.#known.get(name)
    // Else it was removed, and another has its name.
    const isSame =
      known !== undefined &&
      receivedBytes >= known.receivedBytes &&
      sentBytes >= known.sentBytes &&
      (index ?? known.index) === (known.index ?? index)
    if (!isSame) return this.#meet(name, receivedBytes, sentBytes, index)
    this.receivedBytes += receivedBytes - known.receivedBytes
    this.sentBytes += sentBytes - known.sentBytes
    known.receivedBytes = receivedBytes
    known.sentBytes = sentBytes
    known.index ??= index
    known.look = this.#look
  }

  /** The look has told of all. Those that are not there any more may come back having counted elsewhere. */
  endLook(): void {
    for (const [name, { look }] of this.#known) if (look !== this.#look) this.#known.delete(name)
    this.#look += 1
  }

  #meet(name: string, receivedBytes: number, sentBytes: number, index?: number): void {
    if (receivedBytes + sentBytes > 0) this.hadMore = true
    this.#known.set(name, { index, receivedBytes, sentBytes, look: this.#look })
  }
}
