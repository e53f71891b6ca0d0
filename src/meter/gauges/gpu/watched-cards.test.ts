import { describe, expect, it } from 'vitest'
import { b580 } from '../../../../test/fixtures/gpu/trees.ts'
import { h200Card } from '../../../../test/gpu/replay.ts'
import { DrmCards } from '../../../sensors/gpu/drm-cards.ts'
import type { GpuCard } from '../../../sensors/gpu/gpu-card.ts'
import { fakeSystem } from '../../../system/fake.ts'
import { WatchedCards } from './watched-cards.ts'

it('asks ahead for the same as the look that follows, and only where one is due', () => {
  const { advance, ...system } = fakeSystem()
  const calls: string[] = []
  const note = (call: string) => (seldom: boolean) => calls.push(`${call} ${seldom}`) > 0
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

describe('what is dear to read', () => {
  /** For so many seconds, a look each: those at which each of two sources was asked for it. */
  const askedFor = (seconds: number, answers: (second: number) => boolean) => {
    const { advance, ...system } = fakeSystem()
    const asked: Record<string, number[]> = { slow: [], other: [] }
    let second = 0
    const source = (name: string, isAnswered: () => boolean) => ({
      name,
      cards: [],
      look(seldom: boolean) {
        if (seldom) asked[name]?.push(second)
        return isAnswered()
      },
      lookAtActivity: () => {},
      close: () => {},
    })
    const slow = source('slow', () => answers(second))
    const watched = new WatchedCards(system, [slow, source('other', () => true)])
    for (; second < seconds; second++) {
      watched.look()
      advance(1)
    }
    return asked
  }

  it('is asked for again soon, but not at every look, where answers are late', () => {
    expect(askedFor(13, () => false)['slow']).toEqual([0, 2, 4, 6, 8, 10, 12])
    expect(askedFor(24, (second) => second !== 10)['slow']).toEqual([0, 10, 12, 22])
  })

  it('is asked of other cards no more often than else', () => {
    expect(askedFor(24, () => false)['other']).toEqual([0, 10, 20])
  })
})

it('counts the energy once of a card whose power is known by its counter alone', () => {
  const system = fakeSystem({ files: { ...b580 } })
  const [counter = '', start] =
    Object.entries(b580).find(([path]) => path.endsWith('energy1_input')) ?? []
  let joules = Number(start) / 1e6
  system.tree.set(counter, () => `${Math.round(joules * 1e6)}\n`)
  const source = DrmCards.open(system, 'intel')
  if (source.kind !== 'ok') throw new Error('no cards')
  const watched = new WatchedCards(system, [source.value])
  watched.look()
  // Past the looks at which the counter is taken over, and those in between.
  for (let second = 1; second <= 25; second++) {
    joules += second * 10
    system.advance(1)
    watched.look()
    const [card] = watched.cards
    expect(card?.powerWatts).toBeCloseTo(second * 10)
    expect((card?.energyJoules ?? 0) + (card?.joulesSince ?? 0)).toBeCloseTo(joules, 3)
  }
})

it('asks at one look whom cards work for that several use, whenever that began on each', () => {
  const system = fakeSystem()
  const [first, second] = [h200Card(), h200Card()]
  const asked = new Map<GpuCard, number[]>([
    [first, []],
    [second, []],
  ])
  let now = 0
  const source = {
    name: 'NVML',
    cards: [first, second],
    look: () => true,
    lookAtActivity: () => {},
    lookAtShares(card: GpuCard) {
      asked.get(card)?.push(now)
      card.processes.sharesAnswers += 1
    },
    close: () => {},
  }
  const watched = new WatchedCards(system, [source])
  for (; now < 30; now++) {
    watched.look()
    watched.needShares(first)
    if (now >= 1) watched.needShares(second)
    system.advance(1)
  }
  const settled = (card: GpuCard) => asked.get(card)?.filter((at) => at > 10)
  expect(settled(second)).toEqual(settled(first))
  expect(settled(first)).toHaveLength(9)
})
