import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SampleStream } from './sample-stream.ts'

async function all(stream: SampleStream<number>): Promise<number[]> {
  const taken: number[] = []
  for await (const value of stream) taken.push(value)
  return taken
}

describe('a stream of samples', () => {
  it('hands out everything once and in order, whether it is awaited or not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 60 }), async (pushes) => {
        const stream = new SampleStream<number>(() => {})
        const taking: Promise<IteratorResult<number, undefined>>[] = []
        let count = 0
        for (const isPush of pushes)
          if (isPush) stream.push(count++)
          else taking.push(stream.next())
        stream.end()
        const early = (await Promise.all(taking)).flatMap(({ value }) => value ?? [])
        expect([...early, ...(await all(stream))]).toEqual(
          Array.from({ length: count }, (_, n) => n),
        )
      }),
      { seed: 5, numRuns: 200 },
    )
  })

  it('keeps the latest thousand for who is slow', async () => {
    const stream = new SampleStream<number>(() => {})
    for (let value = 0; value < 2500; value++) stream.push(value)
    stream.end()
    const taken = await all(stream)
    expect([taken.length, taken[0], taken.at(-1)]).toEqual([1000, 1500, 2499])
  })

  it('ends for who leaves, and is told of no more', async () => {
    let closed = 0
    const stream = new SampleStream<number>(() => (closed += 1))
    stream.push(1)
    for await (const value of stream) {
      expect(value).toBe(1)
      break
    }
    stream.push(2)
    expect(closed).toBe(1)
    expect(await stream.next()).toEqual({ value: undefined, done: true })
  })
})
