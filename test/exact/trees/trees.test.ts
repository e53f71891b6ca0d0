import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandbox, users, usersByCgroups, workloadsMissing, type User } from '../../program.ts'
import { growByRun, growByWatch, growByWorkflow } from './grow.ts'
import type { Sight } from './judge.ts'
import { idleStrangers, keepBusy, type Surroundings } from './surroundings.ts'

/** 200 families in the suite; JOBMETER_TREES grows more, JOBMETER_SEED others. */
const share = Number(process.env['JOBMETER_TREES'] ?? 200) / 200
const firstSeed = Number(process.env['JOBMETER_SEED'] ?? 1)

/** Each way of measuring meets families of its own, the same ones whichever tests run. */
function seeds(way: string, count: number): number[] {
  let mixed = 7
  for (const letter of Buffer.from(way)) mixed = (mixed * 31 + letter) % 1e6
  const from = firstSeed + mixed * 1000
  return Array.from({ length: Math.ceil(count * share) }, (_, index) => from + index)
}

const isRoot = (user: User): boolean => user.uid === undefined && process.getuid?.() === 0

function sight(user: User, differences: Partial<Sight> = {}): Sight {
  return {
    cpuCgroup: isRoot(user),
    // With v2 alone the memory controller is v1's still, and nobody's to use.
    memoryCgroup: isRoot(user) && user.v2Alone === undefined,
    adoptsOrphans: true,
    neighbours: false,
    follows: false,
    busy: false,
    ...differences,
  }
}

const minutes = (count: number): number => count * 60_000 * Math.max(1, share)

/** How many jobs of a workflow there are at once, and which of them ask for something. */
const workflows = [
  { atOnce: 1, asking: 'every other one' },
  { atOnce: 2, asking: 'nobody' },
  { atOnce: 4, asking: 'every other one' },
  { atOnce: 20, asking: 'nobody' },
] as const

// One way of measuring after the other, each for all users at once: families sleep more than they work.
describe.skipIf(workloadsMissing)('random families of processes are measured right', () => {
  describe('by run', () => {
    it.concurrent.each(usersByCgroups)('as $name', { timeout: minutes(3) }, async (user) => {
      using box = sandbox(user)
      expect(await growByRun(box, seeds(`run ${user.name}`, 24), 4, sight(user))).toEqual([])
    })
  })

  describe('by run without FFI', () => {
    it.concurrent.each(users)('as $name', { timeout: minutes(3) }, async (user) => {
      using box = sandbox(user)
      const env = { JOBMETER_NO_FFI: '1' }
      const told = await growByRun(
        box,
        seeds(`no FFI ${user.name}`, 12),
        4,
        sight(user, { adoptsOrphans: false }),
        env,
      )
      expect(told).toEqual([])
    })
  })

  describe('by watch', () => {
    it.concurrent.each(users)('as $name', { timeout: minutes(3) }, async (user) => {
      using box = sandbox(user)
      const watching = sight(user, {
        cpuCgroup: false,
        memoryCgroup: false,
        adoptsOrphans: false,
        follows: true,
      })
      expect(await growByWatch(box, user, seeds(`watch ${user.name}`, 10), 4, watching)).toEqual([])
    })
  })

  // Workflows at once too: their looks may come late.
  describe('as jobs of workflows', () => {
    it.concurrent.each(users)('as $name', { timeout: minutes(3) }, async (user) => {
      const told = await Promise.all(
        workflows.map(async ({ atOnce, asking }) => {
          using box = sandbox(user)
          return await growByWorkflow(
            box,
            seeds(`${atOnce} at once ${user.name}`, atOnce === 1 ? 3 : 10),
            atOnce,
            asking,
            (asks) =>
              sight(user, {
                cpuCgroup: isRoot(user) && asks,
                memoryCgroup: isRoot(user) && asks,
                neighbours: true,
                busy: true,
              }),
          )
        }),
      )
      expect(told.flat()).toEqual([])
    })
  })

  describe('beside 1,000 idle strangers', () => {
    let strangers: Surroundings
    beforeAll(async () => {
      strangers = await idleStrangers(1000)
    })
    afterAll(() => strangers[Symbol.dispose]())

    it.concurrent.each(users)('as $name', { timeout: minutes(3) }, async (user) => {
      using box = sandbox(user)
      expect(await growByRun(box, seeds(`strangers ${user.name}`, 12), 4, sight(user))).toEqual([])
      expect(strangers.running()).toBe(true)
    })
  })

  describe('on a busy machine', () => {
    let load: Surroundings
    beforeAll(() => {
      load = keepBusy()
    })
    afterAll(() => load[Symbol.dispose]())

    it.concurrent.each(users)('as $name', { timeout: minutes(3) }, async (user) => {
      using box = sandbox(user)
      const busy = sight(user, { busy: true })
      expect(await growByRun(box, seeds(`busy ${user.name}`, 12), 4, busy)).toEqual([])
      expect(load.running()).toBe(true)
    })
  })
})
