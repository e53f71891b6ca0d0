import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import { eventStream, frame, mostUnreadBytes, type Listening } from './event-stream.ts'

const decoder = new TextDecoder()
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function streamed() {
  const { clock, ...system } = fakeSystem()
  const closing = new AbortController()
  const seen = { stopped: 0, dropped: 0 }
  let listening: Listening | undefined
  const answer = eventStream(
    { clock, closing: closing.signal, onDropped: () => (seen.dropped += 1) },
    (given) => {
      listening = given
      return () => (seen.stopped += 1)
    },
  )
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = answer.body?.getReader()
  if (listening === undefined || reader === undefined) throw new Error('nobody listens')
  const next = async (): Promise<string | undefined> => {
    const { value } = await reader.read()
    return value === undefined ? undefined : decoder.decode(value)
  }
  return { system, closing, seen, listening, reader, next, answer }
}

describe('a stream of events', () => {
  it('says at once that it is there, and again every 15 seconds', async () => {
    const { system, next, answer } = streamed()
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(await next()).toBe(': still here\n\n')
    system.advance(15)
    expect(await next()).toBe(': still here\n\n')
  })

  it('sends what it is given', async () => {
    const { listening, next } = streamed()
    await next()
    expect(listening.send(bytes(frame('attempt', '{}', 'b.1')))).toBe(true)
    expect(await next()).toBe('id: b.1\nevent: attempt\ndata: {}\n\n')
  })

  it('drops who does not read, and says so', async () => {
    const { listening, seen, reader } = streamed()
    const piece = new Uint8Array(mostUnreadBytes / 2 + 1)
    expect([listening.send(piece), listening.send(piece)]).toEqual([true, true])
    expect(listening.send(piece)).toBe(false)
    expect(seen).toEqual({ stopped: 1, dropped: 1 })
    await expect(reader.read()).rejects.toThrow('does not read')
    expect(listening.send(piece)).toBe(false)
  })

  it('tells a source that can wait when there is room', async () => {
    const { listening, next } = streamed()
    listening.send(new Uint8Array(mostUnreadBytes))
    let hasRoom = false
    const waiting = listening.room().then(() => (hasRoom = true))
    await Promise.resolve()
    expect(hasRoom).toBe(false)
    await next()
    await next()
    await waiting
    expect(listening.send(bytes('x'))).toBe(true)
  })

  it.each([
    ['its client leaves', ({ reader }: ReturnType<typeof streamed>) => void reader.cancel()],
    ['the server closes', ({ closing }: ReturnType<typeof streamed>) => closing.abort()],
    ['its source ends it', ({ listening }: ReturnType<typeof streamed>) => listening.end()],
  ])('stops its source once when %s', (_, end) => {
    const stream = streamed()
    end(stream)
    end(stream)
    expect(stream.seen.stopped).toBe(1)
    expect(stream.listening.send(bytes('x'))).toBe(false)
  })
})
