/** So often a timer is due that tells how late it is. */
const everySeconds = 0.1

/**
 * How late the events of this process are, between two times that it is asked. Node's own `monitorEventLoopDelay` forgets
 * what it waits for when it is asked for a new beginning: the delay that comes next would be missing.
 */
export class LoopDelay {
  readonly #timer = setInterval(() => this.#look(), 1e3 * everySeconds).unref()
  #dueAt = nowSeconds() + everySeconds
  #looks = 0
  #sumSeconds = 0
  #mostSeconds = 0

  /** Since the last time; null if the timer was not due in that time. */
  take(): { readonly meanSeconds: number; readonly mostSeconds: number } | null {
    const told =
      this.#looks === 0
        ? null
        : { meanSeconds: this.#sumSeconds / this.#looks, mostSeconds: this.#mostSeconds }
    this.#looks = 0
    this.#sumSeconds = 0
    this.#mostSeconds = 0
    return told
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = nowSeconds()
    const lateSeconds = Math.max(0, now - this.#dueAt)
    this.#dueAt = now + everySeconds
    this.#looks += 1
    this.#sumSeconds += lateSeconds
    this.#mostSeconds = Math.max(this.#mostSeconds, lateSeconds)
  }
}

const nowSeconds = (): number => performance.now() / 1e3
