import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../system/fake-clock.ts'
import { plainUser } from '../access/viewer.ts'
import { Flows } from './flows.ts'
import { Sessions } from './sessions.ts'

const begin = (sessions: Sessions, user: string) => sessions.begin(user, () => plainUser(user))

describe('sessions', () => {
  it('last so long, and no longer', () => {
    const { clock, advance } = fakeClock(0)
    const sessions = new Sessions(clock, 100)
    const id = begin(sessions, 'ada')
    const over = sessions.find(id)?.over
    advance(99)
    expect(sessions.find(id)?.viewer()).toMatchObject({ user: 'ada' })
    expect(over?.aborted).toBe(false)
    advance(1)
    expect(sessions.find(id)).toBeUndefined()
    expect(over?.aborted).toBe(true)
  })

  it('are found by what only their owner knows', () => {
    const sessions = new Sessions(fakeClock(0).clock, 100)
    const [one, other] = [begin(sessions, 'ada'), begin(sessions, 'ada')]
    expect(one).toMatch(/^[\w-]{43}$/)
    expect(one).not.toBe(other)
    sessions.end(one)
    expect(sessions.find(one)).toBeUndefined()
    expect(sessions.find(other)).toBeDefined()
    expect(sessions.find('')).toBeUndefined()
  })

  it('of one person push out their own, and those of nobody else', () => {
    const sessions = new Sessions(fakeClock(0).clock, 100)
    const others = begin(sessions, 'bob')
    const first = begin(sessions, 'ada')
    const over = sessions.find(first)?.over
    for (let each = 0; each < 1000; each++) begin(sessions, 'ada')
    expect(sessions.find(first)).toBeUndefined()
    expect(over?.aborted).toBe(true)
    expect(sessions.find(others)).toBeDefined()
  })
})

describe('sign-ins under way', () => {
  const flow = { state: 'a', nonce: 'b', verifier: 'c', next: '/' }

  it('can be ended once, in time', () => {
    let now = 0
    const flows = new Flows(() => now)
    const [one, late] = [flows.begin(flow), flows.begin(flow)]
    expect(flows.take(one)).toMatchObject(flow)
    expect(flows.take(one)).toBeUndefined()
    now = 600
    expect(flows.take(late)).toBeUndefined()
  })

  it('are bounded in number', () => {
    const flows = new Flows(() => 0)
    const first = flows.begin(flow)
    for (let each = 0; each < 1000; each++) flows.begin(flow)
    expect(flows.take(first)).toBeUndefined()
  })
})
