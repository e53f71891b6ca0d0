import { didYouMean } from '../../model/suggest.ts'
import { Fields, MessageError, parseMessage, protocolVersion, type Sent } from './message.ts'
import type { Handlers, Result, SidecarContext } from './handlers.ts'
import { jobMessages } from './job-messages.ts'
import { profileMessages } from './profile-messages.ts'
import { TaskMessages } from './task-messages.ts'
import { trainingMessages } from './training-messages.ts'

/** One client, from its first line to its last. Whatever it sends, it is answered and the session goes on. */
export class Session {
  readonly #context: SidecarContext
  readonly #handlers: Handlers
  readonly #tasks = new TaskMessages()
  #lines = 0
  /** Lines are taken in their order, though some of them have to be waited for. */
  #last: Promise<void> = Promise.resolve()

  constructor(context: SidecarContext) {
    this.#context = context
    this.#handlers = {
      hello,
      ...trainingMessages(context),
      ...profileMessages(context),
      ...jobMessages(context),
      ...this.#tasks.handlers,
    }
  }

  take(line: string): void {
    this.#lines += 1
    const number = this.#lines
    this.#last = this.#last.then(() => this.#deal(line, number))
  }

  /** Of a line that was not even read. */
  refuseLine(why: string): void {
    this.#lines += 1
    const message: Sent = { type: 'error', id: null, line: this.#lines, message: why }
    this.#last = this.#last.then(() => this.#context.send(message))
  }

  /** Resolves when all lines so far have been dealt with. */
  settled(): Promise<void> {
    return this.#last
  }

  /** Ends what it had begun and would go on by itself. */
  close(): Promise<void> {
    return this.#tasks.close()
  }

  async #deal(line: string, number: number): Promise<void> {
    let id: string | number | null = null
    try {
      const message = parseMessage(line)
      ;({ id } = message)
      const result = await this.#handlerOf(message.type)(new Fields(message))
      if (id !== null) this.#context.send({ type: 'answer', id, result })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      this.#context.send({ type: 'error', id, line: number, message })
    }
  }

  #handlerOf(type: string): Handlers[string] {
    const handler = Object.hasOwn(this.#handlers, type) ? this.#handlers[type] : undefined
    if (handler !== undefined) return handler
    const types = Object.keys(this.#handlers)
    throw new MessageError(`unknown type "${type}".${didYouMean(type, types)}`)
  }
}

/** A client may say which protocol it speaks. */
function hello(fields: Fields): Result {
  const asked = fields.requiredCount('protocol')
  if (asked === protocolVersion) return { protocol: protocolVersion }
  throw new MessageError(
    `protocol ${asked} is not spoken here; this program speaks ${protocolVersion}`,
  )
}
