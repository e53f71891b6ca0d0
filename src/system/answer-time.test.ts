import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AnswerTime } from './answer-time.ts'
import { apiSocket } from './api-socket.ts'

describe('AnswerTime', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** What became of a question. */
  function ask(time: AnswerTime): { why: string | null; end: () => void } {
    const question: { why: string | null; end: () => void } = { why: null, end: () => {} }
    question.end = time.begin((why) => (question.why = why))
    return question
  }

  it('gives a daemon that was late less time for the next answer, until it answers', () => {
    const time = new AnswerTime()
    const first = ask(time)
    vi.advanceTimersByTime(9_999)
    expect(first.why).toBeNull()
    vi.advanceTimersByTime(1)
    expect(first.why).toBe('no whole answer in 10 s')
    first.end()
    const second = ask(time)
    vi.advanceTimersByTime(1_000)
    expect(second.why).toBe('no whole answer in 1 s')
    second.end()
    ask(time).end()
    const third = ask(time)
    vi.advanceTimersByTime(9_000)
    expect(third.why).toBeNull()
  })

  it('gives all questions together no more than the limit, those under way included', () => {
    const time = new AnswerTime()
    const early = ask(time)
    vi.advanceTimersByTime(2_000)
    time.limit(5)
    vi.advanceTimersByTime(3_000)
    const late = ask(time)
    expect(time.leftSeconds).toBe(2)
    vi.advanceTimersByTime(2_000)
    expect([early.why, late.why, time.spent]).toEqual(
      Array.from({ length: 3 }, () => 'no whole answer in 5 s'),
    )
    time.unlimit()
    expect([time.spent, time.leftSeconds]).toEqual([null, Infinity])
  })

  it('does not call a daemon late that nobody has asked anything', () => {
    const time = new AnswerTime()
    time.limit(1)
    vi.advanceTimersByTime(1_000)
    expect([time.wasLate, time.spent]).toEqual([false, 'no whole answer in 1 s'])
  })

  it('ends all waiting when it is cut', () => {
    const time = new AnswerTime()
    const question = ask(time)
    time.cut('enough')
    expect([question.why, time.spent, time.leftSeconds]).toEqual(['enough', 'enough', 0])
  })
})

describe('questions to a daemon that never answers', () => {
  const directory = mkdtempSync(join(tmpdir(), 'jm-time-'))
  const path = join(directory, 's')
  const held: ServerResponse[] = []
  let server: Server
  beforeEach(async () => {
    server = createServer((_, response) => void held.push(response)).listen(path)
    await once(server, 'listening')
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
    rmSync(directory, { recursive: true, force: true })
  })

  it('are over when the time is cut, and none is sent afterwards', async () => {
    const time = new AnswerTime()
    const socket = apiSocket(path, time)
    const asked = socket.get('/one')
    await vi.waitUntil(() => held.length > 0)
    time.cut('enough')
    expect(await asked).toEqual({ kind: 'failed', error: 'enough' })
    expect(await socket.post('/two')).toEqual({ kind: 'failed', error: 'enough' })
    expect(held).toHaveLength(1)
  })
})
