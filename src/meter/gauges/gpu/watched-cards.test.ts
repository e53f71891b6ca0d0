import { expect, it } from 'vitest'
import { fakeSystem } from '../../../system/fake.ts'
import { WatchedCards } from './watched-cards.ts'

it('asks ahead for the same as the look that follows, and only where one is due', () => {
  const { advance, ...system } = fakeSystem()
  const calls: string[] = []
  const note = (call: string) => (seldom: boolean) => void calls.push(`${call} ${seldom}`)
  const source = {
    name: 'NVML',
    cards: [],
    ask: note('ask'),
    look: note('look'),
    lookAtActivity: () => {},
    close: () => {},
  }
  const cards = new WatchedCards(system, [source])
  for (const seconds of [0, 0.1, 0.1, 9.8, 0.3]) {
    advance(seconds)
    cards.ask()
    cards.look()
  }
  const [plain, dear] = [
    ['ask false', 'look false'],
    ['ask true', 'look true'],
  ]
  expect(calls).toEqual([dear, plain, dear, plain].flat())
})
