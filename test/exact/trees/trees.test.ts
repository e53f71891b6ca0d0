import { describe, expect, it } from 'vitest'
import { sandbox, users, usersByCgroups, workloadsMissing, type User } from '../../program.ts'
import { growByRun, growByWatch, growByWorkflow } from './grow.ts'
import type { Sight } from './judge.ts'
import { idleStrangers, keepBusy } from './surroundings.ts'

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

describe.skipIf(workloadsMissing)('random families of processes are measured right', () => {
  it.each(usersByCgroups)('by run, as $name', { timeout: minutes(3) }, async (user) => {
    using box = sandbox(user)
    expect(await growByRun(box, seeds(`run ${user.name}`, 24), 4, sight(user))).toEqual([])
  })

  it.each(users)('by run without FFI, as $name', { timeout: minutes(3) }, async (user) => {
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

  it.each(users)('beside 1,000 idle strangers, as $name', { timeout: minutes(3) }, async (user) => {
    using box = sandbox(user)
    using strangers = await idleStrangers(1000)
    expect(strangers.running()).toBe(true)
    expect(await growByRun(box, seeds(`strangers ${user.name}`, 12), 4, sight(user))).toEqual([])
  })

  it.each(users)('on a busy machine, as $name', { timeout: minutes(3) }, async (user) => {
    using box = sandbox(user)
    using load = keepBusy()
    expect(
      await growByRun(box, seeds(`busy ${user.name}`, 12), 4, sight(user, { busy: true })),
    ).toEqual([])
    expect(load.running()).toBe(true)
  })

  it.each(users)('by watch, as $name', { timeout: minutes(3) }, async (user) => {
    using box = sandbox(user)
    const watching = sight(user, {
      cpuCgroup: false,
      memoryCgroup: false,
      adoptsOrphans: false,
      follows: true,
    })
    expect(await growByWatch(box, user, seeds(`watch ${user.name}`, 10), 4, watching)).toEqual([])
  })

  const workflows = [
    { atOnce: 1, asking: 'every other one' },
    { atOnce: 2, asking: 'nobody' },
    { atOnce: 4, asking: 'every other one' },
    { atOnce: 20, asking: 'nobody' },
  ] as const

  it.each(users)('as jobs of workflows, as $name', { timeout: minutes(3) }, async (user) => {
    for (const { atOnce, asking } of workflows) {
      using box = sandbox(user)
      const told = await growByWorkflow(
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
      expect(told).toEqual([])
    }
  })
})
