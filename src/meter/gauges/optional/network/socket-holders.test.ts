import { describe, expect, it } from 'vitest'
import { ok } from '../../../../model/reading.ts'
import { fakeSystem } from '../../../../system/fake.ts'
import type { Files } from '../../../../system/system.ts'
import { Member } from '../../../member.ts'
import { SocketHolders } from './socket-holders.ts'

/** Every process has so many files, all of them sockets; tells whose were listed. */
function machine(filesEach: number): { readonly files: Files; readonly listed: number[] } {
  const listed: number[] = []
  const names = Array.from({ length: filesEach }, (_, at) => String(at))
  const files: Files = {
    ...fakeSystem().files,
    list(path) {
      listed.push(Number(path.split('/')[2]))
      return ok(names)
    },
    readLink: (path) => ok(`socket:[${path.replaceAll(/\D/g, '')}]`),
  }
  return { files, listed }
}

const membersOf = (count: number): Map<number, Member> =>
  new Map(Array.from({ length: count }, (_, at) => [at + 1, new Member(at + 1, 5, -1)] as const))

const nowhere = (): boolean => false

describe('the processes whose sockets are looked for', () => {
  it('are also those that ran without using a tick or a page', () => {
    const { files, listed } = machine(3)
    const members = membersOf(2)
    const holders = new SocketHolders(files)
    holders.find([...members.values()], members, nowhere, new Set())
    const [, second] = members.values()
    if (second !== undefined) second.stirs += 1
    listed.length = 0
    expect(holders.find([], members, nowhere, new Set())).toBe(true)
    expect(listed).toEqual([2])
  })

  it('are none where all rest', () => {
    const { files, listed } = machine(3)
    const members = membersOf(1000)
    const holders = new SocketHolders(files)
    const active = [...members.values()]
    for (let look = 0; look < 20; look += 1)
      holders.find(look === 0 ? active : [], members, nowhere, new Set())
    expect(listed.toSorted((a, b) => a - b)).toEqual([...members.keys()])
    expect(holders.find([], members, nowhere, new Set())).toBe(false)
  })

  it('take turns where they have more files than a look may follow', () => {
    const { files, listed } = machine(1000)
    const members = membersOf(9)
    const holders = new SocketHolders(files)
    const inodes = new Set<number>()
    holders.find([...members.values()], members, nowhere, inodes)
    expect(listed).toEqual([1, 2, 3])
    for (let look = 0; look < 6; look += 1) {
      for (const member of members.values()) member.stirs += 1
      holders.find([], members, nowhere, inodes)
    }
    expect(listed.slice(3)).toEqual([4, 5, 6, 7, 8, 9])
  })

  it('are not those of another network namespace, nor those that have ended', () => {
    const { files, listed } = machine(1)
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
