import { describe, expect, it } from 'vitest'
import { ok } from '../../../../model/reading.ts'
import { fakeSystem } from '../../../../system/fake.ts'
import type { Files } from '../../../../system/system.ts'
import { Member } from '../../../member.ts'
import { SocketHolders } from './socket-holders.ts'

interface Machine {
  readonly files: Files
  /** Whose files were listed, one entry for each time. */
  readonly listed: number[]
  /** Links that were followed. */
  followed: number
}

/** The processes 1, 2, 3 … have so many files each, all of them sockets. */
function machine(filesOf: (pid: number) => number): Machine {
  const made: Machine = {
    listed: [],
    followed: 0,
    files: {
      ...fakeSystem().files,
      list(path) {
        const pid = Number(path.split('/')[2])
        made.listed.push(pid)
        return ok(Array.from({ length: filesOf(pid) }, (_, at) => String(at)))
      },
      readLink(path) {
        made.followed += 1
        const [, , pid, , file] = path.split('/')
        return ok(`socket:[${inodeOf(Number(pid), Number(file))}]`)
      },
    },
  }
  return made
}

const inodeOf = (pid: number, file: number): number => pid * 1_000_000 + file

const membersOf = (count: number): Map<number, Member> =>
  new Map(Array.from({ length: count }, (_, at) => [at + 1, new Member(at + 1, 5, -1)] as const))

const nowhere = (): boolean => false

/** Looks so often, with all of them busy all the time; answers how many sockets of each were found. */
function foundWhileBusy(filesOf: readonly number[], looks: number): number[] {
  const made = machine((pid) => filesOf[pid - 1] ?? 0)
  const members = membersOf(filesOf.length)
  const holders = new SocketHolders(made.files)
  const inodes = new Set<number>()
  for (let look = 0; look < looks; look += 1) {
    for (const member of members.values()) member.stirs += 1
    made.followed = 0
    holders.find([...members.values()], members, nowhere, inodes)
    expect(made.followed).toBeLessThanOrEqual(2048)
  }
  const found = filesOf.map(() => 0)
  for (const inode of inodes) {
    const at = Math.floor(inode / 1_000_000) - 1
    found[at] = (found[at] ?? 0) + 1
  }
  return found
}

describe('the processes whose sockets are looked for', () => {
  it('are also those that ran without using a tick or a page', () => {
    const { files, listed } = machine(() => 3)
    const members = membersOf(2)
    const holders = new SocketHolders(files)
    holders.find([...members.values()], members, nowhere, new Set())
    const [, second] = members.values()
    if (second !== undefined) second.stirs += 1
    listed.length = 0
    expect(holders.find([], members, nowhere, new Set())).toBe(true)
    expect(listed).toEqual([2])
  })

  it('are none where all rest and each was listed in full', () => {
    const { files, listed } = machine(() => 3)
    const members = membersOf(1000)
    const holders = new SocketHolders(files)
    const active = [...members.values()]
    for (let look = 0; look < 20; look += 1)
      holders.find(look === 0 ? active : [], members, nowhere, new Set())
    expect(listed.toSorted((a, b) => a - b)).toEqual([...members.keys()])
    expect(holders.find([], members, nowhere, new Set())).toBe(false)
  })

  it('are looked for until all their files were followed, even where they rest', () => {
    const { files, listed } = machine(() => 1500)
    const members = membersOf(2)
    const holders = new SocketHolders(files)
    const inodes = new Set<number>()
    expect(holders.find([...members.values()], members, nowhere, inodes)).toBe(true)
    expect(inodes.size).toBeGreaterThan(2048 - 256)
    expect(holders.find([], members, nowhere, inodes)).toBe(true)
    expect(inodes.size).toBe(3000)
    expect(listed).toEqual([1, 2])
    expect(holders.find([], members, nowhere, inodes)).toBe(false)
  })

  it.each([
    { whose: 'of a server with more than a look may follow', filesOf: [5000], looks: 3 },
    { whose: 'of two that would take all of a look each', filesOf: [1500, 1500], looks: 3 },
    { whose: 'of a third beside two busier ones', filesOf: [1000, 1048, 1000], looks: 3 },
    { whose: 'of one with few beside two with many', filesOf: [1500, 1500, 10], looks: 3 },
    { whose: 'of one with few beside one with very many', filesOf: [100_000, 10], looks: 57 },
  ])('are found in the end while they are busy: all $whose', ({ filesOf, looks }) => {
    expect(foundWhileBusy(filesOf, looks)).toEqual(filesOf)
  })

  it('wait no longer for those with many files than a turn of each takes', () => {
    const many = Array.from({ length: 8 }, () => 50_000)
    expect(foundWhileBusy([...many, 10], 2).at(-1)).toBe(10)
  })

  it('share what a look may follow, however many they are', () => {
    const found = foundWhileBusy(
      Array.from({ length: 30 }, () => 2000),
      30,
    )
    // The busiest gets half of it.
    const others = found.slice(1)
    expect(Math.min(...others)).toBeGreaterThanOrEqual(1000)
    expect(Math.max(...others) - Math.min(...others)).toBeLessThanOrEqual(256)
  })

  it('are looked through again where they were busy after they were listed', () => {
    const opened = [1500]
    const { files } = machine(() => opened[0] ?? 0)
    const members = membersOf(1)
    const holders = new SocketHolders(files)
    const inodes = new Set<number>()
    const active = [...members.values()]
    const find = (busy: readonly Member[]): boolean => holders.find(busy, members, nowhere, inodes)
    opened[0] = 3000
    find(active)
    opened[0] = 3001
    find(active)
    find([])
    find([])
    expect(inodes).toContain(inodeOf(1, 3000))
    expect(find([])).toBe(false)
  })

  it('are few of those that do next to nothing, at a look', () => {
    const made = machine(() => 10)
    const members = membersOf(1000)
    const holders = new SocketHolders(made.files)
    const inodes = new Set<number>()
    for (let look = 0; look < 200; look += 1) {
      for (const member of members.values()) member.stirs += 1
      made.followed = 0
      holders.find(look === 0 ? [...members.values()] : [], members, nowhere, inodes)
    }
    expect(inodes.size).toBe(10_000)
    expect(made.followed).toBeLessThan(100)
  })

  it('take turns where they have more files than a look may follow, and do next to nothing', () => {
    const made = machine(() => 1000)
    const members = membersOf(9)
    const holders = new SocketHolders(made.files)
    const inodes = new Set<number>()
    for (let look = 0; look < 10; look += 1) {
      for (const member of members.values()) member.stirs += 1
      made.followed = 0
      holders.find(look === 0 ? [...members.values()] : [], members, nowhere, inodes)
      expect(made.followed).toBeLessThanOrEqual(2048)
    }
    expect(inodes.size).toBe(9000)
  })

  it('are known not to be all that may have connected, where a look left some out', () => {
    const { files } = machine(() => 1500)
    const members = membersOf(2)
    const holders = new SocketHolders(files)
    const [first] = members.values()
    holders.find(first === undefined ? [] : [first], members, nowhere, new Set())
    expect(holders.wasShort).toBe(false)
    holders.find([...members.values()], members, nowhere, new Set())
    expect(holders.wasShort).toBe(true)
  })

  it('are not those of another network namespace, nor those that have ended', () => {
    const { files, listed } = machine(() => 1)
    const members = membersOf(3)
    const holders = new SocketHolders(files)
    holders.find([...members.values()], members, nowhere, new Set())
    for (const member of members.values()) member.stirs += 1
    members.delete(2)
    listed.length = 0
    holders.find([], members, ({ pid }) => pid === 1, new Set())
    expect(listed).toEqual([3])
  })
})
