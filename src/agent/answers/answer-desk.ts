import type { Reply } from '../../store/node/questions.ts'
import { packed } from '../../system/packed-value.ts'
import type { Caller } from '../../system/user-socket.ts'

/** How much may be asked at once: questions that wait cost next to nothing, and those that are answered a process each. */
const most = { atOnce: 2, waitingOfOne: 4, waiting: 64, seconds: 20 }
const program = 'agent/answers/answer-helper'

const busy: Reply = {
  error: 'the agent has too many questions to answer; try again in a moment',
}

/**
 * Gives each question of a user to a process of its own, so that none holds up a round. A user has one answered at a time:
 * one who asks a lot waits for their own questions, and keeps nobody else waiting.
 */
export class AnswerDesk {
  readonly #database: string
  readonly #waiting: Caller[] = []
  readonly #served = new Set<number>()

  constructor(database: string) {
    this.#database = database
  }

  hear(caller: Caller): void {
    const ofOne = this.#waiting.filter(({ uid }) => uid === caller.uid).length
    if (ofOne >= most.waitingOfOne || this.#waiting.length >= most.waiting) {
      caller.refuse(packed(busy))
      return
    }
    this.#waiting.push(caller)
    this.#serve()
  }

  #serve(): void {
    while (this.#served.size < most.atOnce) {
      const at = this.#waiting.findIndex(({ uid }) => !this.#served.has(uid))
      const [caller] = at < 0 ? [] : this.#waiting.splice(at, 1)
      if (caller === undefined) return
      const { uid } = caller
      this.#served.add(uid)
      let hasEnded = false
      caller.handTo(program, [String(uid), this.#database], most.seconds, () => {
        if (hasEnded) return
        hasEnded = true
        this.#served.delete(uid)
        this.#serve()
      })
    }
  }
}
