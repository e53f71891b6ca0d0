import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseLanes, mostOvertaken, type WaitingLane, type WorkerRoom } from './choose-lanes.ts'

const lane = (id: number, differences: Partial<WaitingLane> = {}): WaitingLane => ({
  id,
  user: 'ada',
  cpus: 1,
  memoryBytes: 0,
  gpus: 0,
  priority: 0,
  waitedSeconds: 10,
  overtaken: 0,
  reservedElsewhere: false,
  queued: 10,
  userCores: 0,
  userWeight: 1,
  ...differences,
})
const claim = (cpus: number) => ({ cpus, memoryBytes: 100, gpus: 2 })
const room = (cpus: number, ahead: WorkerRoom['ahead'] = null): WorkerRoom => ({
  free: claim(cpus),
  ahead,
  most: 64,
})
const takes = (...given: Parameters<typeof chooseLanes>) =>
  Object.fromEntries(chooseLanes(...given).takes)

describe('what a worker takes', () => {
  it('is no more than fits', () => {
    expect(takes([lane(1)], room(4))).toEqual({ 1: 4 })
    expect(takes([lane(1, { memoryBytes: 40 })], room(4))).toEqual({ 1: 2 })
    expect(takes([lane(1, { gpus: 1 })], room(4))).toEqual({ 1: 2 })
    expect(takes([lane(1, { cpus: 5 })], room(4))).toEqual({})
  })

  it('is not kept away by what is lost in the sum of shares of a core', () => {
    const given = 1 - 0.3 - 0.1 + 0.3 + 0.1
    expect(given).toBeLessThan(1)
    expect(takes([lane(1)], room(given))).toEqual({ 1: 1 })
  })

  it('goes by priority first', () => {
    expect(takes([lane(1), lane(2, { priority: 1, queued: 3 })], room(4))).toEqual({ 2: 3, 1: 1 })
  })

  it('is shared between users by the cores that they have in use, and their weights', () => {
    const bob = { user: 'bob' }
    expect(takes([lane(1), lane(2, bob)], room(4))).toEqual({ 1: 2, 2: 2 })
    expect(takes([lane(1, { userCores: 4 }), lane(2, bob)], room(4))).toEqual({ 2: 4 })
    expect(takes([lane(1), lane(2, { ...bob, userWeight: 3 })], room(4))).toEqual({ 1: 1, 2: 3 })
  })

  it('goes beyond what is free only where jobs are short, and fit when short ones have ended', () => {
    const ahead = { most: 5, free: claim(2), lanes: new Set([1, 2]) }
    const choose = (...lanes: WaitingLane[]) => {
      const choice = chooseLanes(lanes, room(2, ahead))
      return [choice.takes, choice.takesAhead].map((each) => Object.fromEntries(each))
    }
    expect(choose(lane(1))).toEqual([{ 1: 2 }, { 1: 5 }])
    expect(choose(lane(2, { cpus: 2 }))).toEqual([{ 2: 1 }, { 2: 5 }])
    expect(choose(lane(2, { cpus: 3 }))).toEqual([{}, {}])
    expect(choose(lane(3, { waitedSeconds: 20 }), lane(1))).toEqual([{ 3: 2 }, { 1: 5 }])
  })

  it('stops the moment that an older one was passed over too often', () => {
    const ahead = { most: 200, free: claim(3), lanes: new Set([1]) }
    const large = lane(2, { cpus: 4, waitedSeconds: 20, overtaken: 10 })
    const choice = chooseLanes([lane(1, { queued: 64 }), large], room(3, ahead))
    expect(choice.reserves).toBe(2)
    expect(choice.overtaken.get(2)).toBe(mostOvertaken - 10)
    expect((choice.takes.get(1) ?? 0) + (choice.takesAhead.get(1) ?? 0)).toBe(mostOvertaken - 10)
  })

  it('passes nobody over whose turn comes later because others use less', () => {
    const ahead = { most: 50, free: claim(2), lanes: new Set([1, 2]) }
    const much = lane(2, { user: 'bob', userCores: 9, waitedSeconds: 20 })
    const choice = chooseLanes([lane(1, { queued: 60 }), much], room(1, ahead))
    expect(choice).toMatchObject({ reserves: null, overtaken: new Map() })
  })

  it('leaves room for one that was passed over too often, or waited too long', () => {
    const small = lane(1)
    for (const large of [
      lane(2, { cpus: 4, overtaken: 32, waitedSeconds: 20 }),
      lane(2, { cpus: 4, waitedSeconds: 300 }),
    ]) {
      expect(chooseLanes([small, large], room(3))).toMatchObject({ reserves: 2, takes: new Map() })
      expect(takes([small, large], room(4))).toEqual({ 2: 1 })
      const elsewhere = { ...large, reservedElsewhere: true }
      expect(takes([small, elsewhere], room(3))).toEqual({ 1: 3 })
    }
  })

  it('counts how often an older one was passed over', () => {
    const { overtaken } = chooseLanes([lane(1), lane(2, { cpus: 4, waitedSeconds: 20 })], room(3))
    expect(Object.fromEntries(overtaken)).toEqual({ 2: 3 })
    const younger = chooseLanes([lane(1), lane(2, { cpus: 4, waitedSeconds: 5 })], room(3))
    expect(younger.overtaken.size).toBe(0)
  })

  const anyLane = fc.record({
    user: fc.constantFrom('ada', 'bob', 'eve'),
    cpus: fc.integer({ min: 1, max: 8 }),
    memoryBytes: fc.integer({ min: 0, max: 100 }),
    gpus: fc.integer({ min: 0, max: 2 }),
    priority: fc.integer({ min: -1, max: 1 }),
    waitedSeconds: fc.integer({ min: 0, max: 400 }),
    overtaken: fc.integer({ min: 0, max: 40 }),
    queued: fc.integer({ min: 1, max: 20 }),
  })

  it('never takes more than there is, whatever waits', () => {
    fc.assert(
      fc.property(
        fc.array(anyLane, { maxLength: 8 }),
        fc.integer({ min: 0, max: 16 }),
        (all, cpus) => {
          const lanes = all.map((each, id) => lane(id, each))
          const { takes: taken } = chooseLanes(lanes, room(cpus))
          const used = { cpus: 0, memoryBytes: 0, gpus: 0 }
          for (const each of lanes) {
            const count = taken.get(each.id) ?? 0
            expect(count).toBeLessThanOrEqual(each.queued)
            used.cpus += count * each.cpus
            used.memoryBytes += count * each.memoryBytes
            used.gpus += count * each.gpus
          }
          expect(used.cpus).toBeLessThanOrEqual(cpus)
          expect(used.memoryBytes).toBeLessThanOrEqual(100)
          expect(used.gpus).toBeLessThanOrEqual(2)
        },
      ),
    )
  })

  it('lets no job wait for ever, however many smaller ones come', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 8 }),
        fc.integer({ min: 1, max: 4 }),
        (cpus, length) => {
          let large = lane(2, { cpus, waitedSeconds: 1, queued: 1 })
          const running: number[] = []
          for (let now = 0; now < 10_000; now++) {
            while (running[0] !== undefined && running[0] <= now) running.shift()
            const small = lane(1, { waitedSeconds: 0 })
            const choice = chooseLanes([small, large], room(cpus - running.length))
            if ((choice.takes.get(2) ?? 0) > 0) return
            const overtaken = large.overtaken + (choice.overtaken.get(2) ?? 0)
            large = { ...large, overtaken, waitedSeconds: large.waitedSeconds + 1 }
            for (let taken = choice.takes.get(1) ?? 0; taken > 0; taken--)
              running.push(now + 1 + ((now + taken) % length))
            running.sort((one, other) => one - other)
          }
          expect.fail('it still waits')
        },
      ),
    )
  })
})
