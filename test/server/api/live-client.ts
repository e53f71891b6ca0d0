import { get, type IncomingMessage } from 'node:http'

export interface LiveEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: Record<string, unknown>
}

/** Somebody who follows a stream of events. */
export class LiveClient {
  readonly events: LiveEvent[] = []
  readonly ended: Promise<void>
  readonly #answer: IncomingMessage
  #text = ''
  #waiting: (() => void)[] = []

  private constructor(answer: IncomingMessage) {
    this.#answer = answer
    answer.setEncoding('utf8').on('data', (text: string) => this.#take(text))
    this.ended = new Promise((resolve) => answer.once('close', resolve))
    answer.on('error', () => undefined)
  }

  static open(
    port: number,
    path: string,
    headers: Readonly<Record<string, string>>,
    from?: string,
  ): Promise<LiveClient> {
    return new Promise((resolve, reject) => {
      const to = { host: '127.0.0.1', port, path, headers, agent: false, localAddress: from }
      const asked = get(to, (answer) => resolve(new LiveClient(answer)))
      asked.once('error', reject)
    })
  }

  get isOver(): boolean {
    return this.#answer.closed
  }

  get status(): number {
    return this.#answer.statusCode ?? 0
  }

  /** When an event like this has come. */
  async until(isWanted: (event: LiveEvent) => boolean): Promise<LiveEvent> {
    for (;;) {
      const found = this.events.find(isWanted)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  leave(): void {
    this.#answer.destroy()
  }

  #take(text: string): void {
    this.#text += text
    const frames = this.#text.split('\n\n')
    this.#text = frames.pop() ?? ''
    for (const frame of frames) {
      const of = (name: string): string | undefined =>
        new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1]
      const event = of('event')
      if (event === undefined) continue
      const data = JSON.parse(of('data') ?? '{}') as Record<string, unknown>
      this.events.push({ id: of('id'), event, data })
    }
    for (const wake of this.#waiting.splice(0)) wake()
  }
}
