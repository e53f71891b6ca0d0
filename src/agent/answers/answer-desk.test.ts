import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../../system/user-socket.ts'
import { AnswerDesk } from './answer-desk.ts'

/** Callers who say what became of them; those who are being answered are ended by hand. */
class Callers {
  readonly running: { readonly uid: number; readonly end: () => void }[] = []
  refused = 0
  answered = 0
  mostAtOnce = 0
  readonly faults: string[] = []

  caller(uid: number): Caller {
    return {
      uid,
      refuse: () => (this.refused += 1),
      handTo: (_program, given, _seconds, ended) => {
        if (given.join(' ') !== `${uid} /node.db`) this.faults.push(`was given ${given.join(' ')}`)
        if (this.running.some((one) => one.uid === uid)) this.faults.push(`${uid} twice at once`)
        const entry = {
          uid,
          end: () => {
            this.running.splice(this.running.indexOf(entry), 1)
            this.answered += 1
            ended()
            // A process can be told to have failed and to have ended.
            ended()
          },
        }
        this.running.push(entry)
        this.mostAtOnce = Math.max(this.mostAtOnce, this.running.length)
      },
    }
  }
}

describe('the desk where users ask', () => {
  it('answers or refuses everybody, two at once and one of each', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(30), fc.constant('an end')), { maxLength: 400 }),
        (events) => {
          const callers = new Callers()
          const desk = new AnswerDesk('/node.db')
          for (const event of events)
            if (typeof event === 'number') desk.hear(callers.caller(event))
            else callers.running[0]?.end()
          while (callers.running.length > 0) callers.running[0]?.end()
          const asked = events.filter((event) => typeof event === 'number').length
          expect(callers.answered + callers.refused).toBe(asked)
          expect(callers.mostAtOnce).toBeLessThanOrEqual(2)
          expect(callers.faults).toEqual([])
        },
      ),
    )
  })

  it('keeps nobody waiting for who asks ten thousand times', () => {
    const callers = new Callers()
    const desk = new AnswerDesk('/node.db')
    for (let at = 0; at < 10_000; at += 1) desk.hear(callers.caller(1001))
    expect(callers.refused).toBe(10_000 - 5)
    desk.hear(callers.caller(1002))
    expect(callers.running.map(({ uid }) => uid)).toEqual([1001, 1002])
  })
})
