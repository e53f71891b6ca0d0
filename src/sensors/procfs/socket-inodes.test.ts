import { describe, expect, it } from 'vitest'
import { unavailable, ok } from '../../model/reading.ts'
import { fakeSystem } from '../../system/fake.ts'
import { addSocketInodes, listOpenFiles } from './socket-inodes.ts'

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
      list: () => ok(['0', '3', '4', '5', '6']),
      readLink: (path: string) => {
        const link = links[path]
        return link === undefined ? unavailable('gone') : ok(link)
      },
    }
    const names = listOpenFiles(files, 7)
    expect(names).toEqual(['0', '3', '4', '5', '6'])
    const inodes = new Set<number>()
    addSocketInodes(files, 7, names, 2, 4, inodes)
    expect([...inodes]).toEqual([4712])
    addSocketInodes(files, 7, names, 0, 5, inodes)
    expect([...inodes]).toEqual([4712, 4711])
  })

  it.each(['socket:[]', 'socket:[x]', 'socket:[1', 'anon_inode:[eventpoll]', ''])(
    'are not %j',
    (link) => {
      const files = { ...fakeSystem().files, readLink: () => ok(link) }
      const inodes = new Set<number>()
      addSocketInodes(files, 7, ['0'], 0, 1, inodes)
      expect(inodes.size).toBe(0)
    },
  )

  it('are none where its files cannot be listed', () => {
    expect(listOpenFiles(fakeSystem().files, 7)).toEqual([])
  })
})
