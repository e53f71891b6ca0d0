import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import { EndInquiry } from './end-inquiry.ts'

/** Asks until it is done, and answers how often. */
async function askedFor(answers: readonly (boolean | undefined)[], seconds: number) {
  const system = fakeSystem()
  let [asked, done] = [0, 0]
  const inquiry = new EndInquiry(
    system.clock,
    () => Promise.resolve(answers[asked++]),
    () => (done += 1),
  )
  inquiry.begin()
  inquiry.begin()
  for (let second = 0; second < seconds; second++) {
    system.advance(1)
    await Promise.resolve()
    await Promise.resolve()
  }
  return { asked, done }
}

describe('EndInquiry', () => {
  it('asks once a second until it is over', async () => {
    expect(await askedFor([false, false, true], 10)).toEqual({ asked: 3, done: 1 })
  })

  it('gives up after six questions in a row without an answer', async () => {
    const silent = Array.from({ length: 5 }, () => undefined)
    expect(await askedFor([...silent, false, ...silent, undefined], 30)).toEqual({
      asked: 12,
      done: 1,
    })
  })
})
