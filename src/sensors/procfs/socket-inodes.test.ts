import { describe, expect, it } from 'vitest'
import { unavailable, ok } from '../../model/reading.ts'
import { fakeSystem } from '../../system/fake.ts'
import { readSocketInodes } from './socket-inodes.ts'

describe('the sockets of a process', () => {
  it('are found among its files', () => {
    const links: Record<string, string> = {
      '/proc/7/fd/0': '/dev/null',
      '/proc/7/fd/3': 'socket:[4711]',
      '/proc/7/fd/4': 'pipe:[12]',
      '/proc/7/fd/5': 'socket:[4712]',
    }
    const files = {
      ...fakeSystem().files,
      list: () => ok(['0', '3', '4', '5']),
      readLink: (path: string) => {
        const link = links[path]
        return link === undefined ? unavailable('gone') : ok(link)
      },
    }
    const inodes = new Set<number>()
    // Of too many files the first and the last: connections come after what a program opens at its start, or before it.
    expect(readSocketInodes(files, 7, 3, inodes)).toBe(4)
    expect([...inodes]).toEqual([4712])
    readSocketInodes(files, 7, 100, inodes)
    expect([...inodes]).toEqual([4712, 4711])
  })

  it.each(['socket:[]', 'socket:[x]', 'socket:[1', 'anon_inode:[eventpoll]', ''])(
    'are not %j',
    (link) => {
      const files = { ...fakeSystem().files, list: () => ok(['0']), readLink: () => ok(link) }
      const inodes = new Set<number>()
      expect(readSocketInodes(files, 7, 9, inodes)).toBe(1)
      expect(inodes.size).toBe(0)
    },
  )

  it('are none where its files cannot be listed', () => {
    expect(readSocketInodes(fakeSystem().files, 7, 9, new Set())).toBe(0)
  })
})
