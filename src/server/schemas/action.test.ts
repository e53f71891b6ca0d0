import { describe, expect, it } from 'vitest'
import { commandSubmitted } from './action.ts'

describe('a command that is sent', () => {
  const isTaken = (asked: object): boolean =>
    commandSubmitted.safeParse({ command: ['true'], ...asked }).success

  it.each([
    { cpus: 1e-300 },
    { cpus: 0.0009 },
    { timeout_seconds: 1e-9 },
    { runtime_seconds: 1e-9 },
    { cpus: 0 },
  ])('may not ask for what `jobmeter run` refuses: %j', (asked) => {
    expect(isTaken(asked)).toBe(false)
  })

  it.each([{ cpus: 0.001 }, { timeout_seconds: 0.001 }, { runtime_seconds: 0.001 }, {}])(
    'may ask for %j',
    (asked) => {
      expect(isTaken(asked)).toBe(true)
    },
  )
})
