import type { Clock } from '../../../system/system.ts'

/** What could not be sent is sent again after so long. */
const againSeconds = 1

interface LineListener {
  /** It is tried again until it is sent, or taken back. */
  failed(error: unknown): void
  sent(): void
}

/**
 * Messages of one kind on their way to a database, each about an attempt. What is said again before it was sent is sent once,
 * as it was said last. Each kind has a line of its own, so that none of them has to wait for another that cannot be sent.
 */
export class MessageLine<Message> {
  readonly #clock: Clock
  readonly #send: (messages: ReadonlyMap<string, Message>) => Promise<void>
  readonly #listener: LineListener
  /** A new object each time: the same may be said again while it is being sent. */
  readonly #waiting = new Map<string, { readonly message: Message }>()
  #isBusy = false
  #isClosed = false

  /** `send` may be called twice with what it has sent already. */
  constructor(
    clock: Clock,
    send: (messages: ReadonlyMap<string, Message>) => Promise<void>,
    listener: LineListener,
  ) {
    this.#clock = clock
    this.#send = send
    this.#listener = listener
  }

  has(taskId: string): boolean {
    return this.#waiting.has(taskId)
  }

  get(taskId: string): Message | undefined {
    return this.#waiting.get(taskId)?.message
  }

  add(taskId: string, message: Message): void {
    this.#waiting.set(taskId, { message })
    if (!this.#isBusy) void this.#work()
  }

  /** It may have been sent all the same. */
  takeBack(taskId: string): void {
    this.#waiting.delete(taskId)
  }

  close(): void {
    this.#isClosed = true
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    // Nothing is sent from within a call to us: others say more, and keep what they must know if we are killed.
    await this.#pause(0)
    while (!this.#isClosed && this.#waiting.size > 0) {
      const sending = new Map(this.#waiting)
      try {
        await this.#send(new Map([...sending].map(([taskId, { message }]) => [taskId, message])))
        for (const [taskId, each] of sending)
          if (this.#waiting.get(taskId) === each) this.#waiting.delete(taskId)
        this.#listener.sent()
      } catch (error) {
        if (!this.#isClosed) this.#listener.failed(error)
        await this.#pause(againSeconds)
      }
    }
    this.#isBusy = false
  }

  #pause(seconds: number): Promise<void> {
    return new Promise((resolve) => this.#clock.after(seconds, resolve))
  }
}
