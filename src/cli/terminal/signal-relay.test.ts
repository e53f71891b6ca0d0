import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import { SignalRelay } from './signal-relay.ts'

/** A relay whose signals a test sends; answers what it told of interrupts. */
function relay(isKeyboard: boolean) {
  const handlers = new Map<string, () => void>()
  const { processes } = fakeSystem({})
  const listening = {
    ...processes,
    onSignal(signal: NodeJS.Signals, handler: () => void) {
      handlers.set(signal, handler)
      return () => {}
    },
  }
  let told = 0
  const terminal = { group: 'shared' as const, delivers: () => isKeyboard }
  const made = () => new SignalRelay(listening, terminal, () => (told += 1))
  made()
  return (...signals: readonly NodeJS.Signals[]): number => {
    for (const signal of signals) handlers.get(signal)?.()
    return told
  }
}

describe('a relay of signals', () => {
  it('tells of the first Ctrl-C alone', () => {
    expect(relay(true)('SIGINT', 'SIGINT')).toBe(1)
  })

  it('tells nothing where nobody typed it', () => {
    expect(relay(false)('SIGINT')).toBe(0)
    expect(relay(true)('SIGTERM', 'SIGHUP')).toBe(0)
  })
})
