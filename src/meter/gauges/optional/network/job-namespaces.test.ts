import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../../../system/fake.ts'
import { Member } from '../../../member.ts'
import { JobNamespaces } from './job-namespaces.ts'

const jobBegan = 5000

/** A machine on which each of these processes began then, and is in that namespace; the job is process 7. */
function machineWith(processes: Readonly<Record<number, { began: number; place: string }>>) {
  const { files, tree } = fakeSystem({ files: { '/proc/self/ns/net': 'net:[1]' } })
  for (const [pid, { began, place }] of Object.entries(processes)) {
    tree.set(`/proc/${pid}/ns/net`, place)
    tree.set(
      `/proc/${pid}/stat`,
      `${pid} (x) S 1 1 1 0 -1 0 0 0 0 0 1 0 0 0 20 0 1 0 ${began} 0 1${' 0'.repeat(20)}\n`,
    )
  }
  const members = new Map([[7, new Member(7, jobBegan, -1)]])
  const namespaces = new JobNamespaces(files)
  const look = (received: number): void => {
    tree.set('/proc/7/net/dev', `head\nhead\n  eth0: ${received} 1 0 0 0 0 0 0 20 1 0 0 0 0 0 0\n`)
    namespaces.look(members, [...members.values()])
  }
  look(100)
  look(150)
  return namespaces
}

describe('a network namespace of a job', () => {
  it('is its own where nobody else is in it', () => {
    const namespaces = machineWith({
      1: { began: 1, place: 'net:[1]' },
      7: { began: jobBegan, place: 'net:[2]' },
    })
    expect(namespaces).toMatchObject({ isEmpty: false, isShared: false, receivedBytes: 50 })
  })

  it('is not its own where a process is that was there before the job', () => {
    const namespaces = machineWith({
      6: { began: jobBegan - 1, place: 'net:[2]' },
      7: { began: jobBegan, place: 'net:[2]' },
    })
    expect(namespaces).toMatchObject({ isEmpty: true, isShared: true, receivedBytes: 0 })
  })

  it('is not its own though thousands of processes are elsewhere and older', () => {
    const processes: Record<number, { began: number; place: string }> = {}
    for (let pid = 10; pid < 3000; pid += 1) processes[pid] = { began: 1, place: 'net:[1]' }
    const namespaces = machineWith({
      ...processes,
      7: { began: jobBegan, place: 'net:[2]' },
      9000: { began: jobBegan - 1, place: 'net:[2]' },
    })
    expect(namespaces).toMatchObject({ isEmpty: true, isShared: true })
  })

  it('is its own where a younger process is, which may be a child that was not found yet', () => {
    const namespaces = machineWith({
      7: { began: jobBegan, place: 'net:[2]' },
      8: { began: jobBegan + 1, place: 'net:[2]' },
    })
    expect(namespaces).toMatchObject({ isEmpty: false, isShared: false, receivedBytes: 50 })
  })
})
