import { describe, expect, it } from 'vitest'
import { inheritedDescriptors } from './inherited.ts'

/** What Node 24 has open when it starts, from the first free descriptor on. */
const nodes = [
  'anon_inode:[eventpoll]',
  'anon_inode:[io_uring]',
  'pipe:[901]',
  'pipe:[901]',
  'pipe:[902]',
  'pipe:[902]',
  'anon_inode:[eventfd]',
  'anon_inode:[eventpoll]',
  'anon_inode:[io_uring]',
  'pipe:[903]',
  'pipe:[903]',
  'anon_inode:[eventfd]',
  'anon_inode:[eventpoll]',
  'anon_inode:[io_uring]',
  'pipe:[904]',
  'pipe:[904]',
  'anon_inode:[eventfd]',
]

function found(given: Readonly<Record<number, string>>, makeFlags?: string): readonly number[] {
  const links = new Map(Object.entries(given).map(([fd, link]) => [Number(fd), link]))
  let free = 3
  for (const link of nodes) {
    while (links.has(free)) free++
    links.set(free, link)
  }
  return inheritedDescriptors((descriptor) => links.get(descriptor), makeFlags)
}

describe('descriptors that we were started with', () => {
  it('are none for most', () => {
    expect(found({})).toEqual([])
  })

  it.each([
    ['a file', { 3: '/tmp/log' }, [3]],
    ['several with gaps', { 3: '/dev/null', 9: 'socket:[77]', 15: '/tmp/log' }, [3, 9, 15]],
    ['one end of a pipe', { 4: 'pipe:[55]' }, [4]],
    ['what Node does not mark', { 16: '/tmp/log', 30: 'pipe:[55]', 63: 'pipe:[56]' }, []],
    ['beside a pipe of Node half above', { 3: '/a', 4: '/b', 5: '/c' }, [3, 4, 5]],
    ['something of the kernel', { 5: 'anon_inode:[timerfd]', 6: '/memfd:x (deleted)' }, [5, 6]],
  ] as const)('are found: %s', (_, given, expected) => {
    expect(found(given)).toEqual(expected)
  })

  it("are a pipe with both ends only where it is make's jobserver", () => {
    const both = { 3: 'pipe:[55]', 4: 'pipe:[55]' }
    expect(found(both)).toEqual([])
    expect(found(both, ' -j8 --jobserver-auth=3,4')).toEqual([3, 4])
    expect(found(both, ' -j --jobserver-fds=3,4 -- X=1')).toEqual([3, 4])
    expect(found(both, '--jobserver-auth=fifo:/tmp/x')).toEqual([])
  })
})
