import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../../../system/fake.ts'
import type { Files } from '../../../../system/system.ts'
import { Member } from '../../../member.ts'
import { JobNamespaces } from './job-namespaces.ts'

const jobBegan = 5000

const line = (name: string, received: number): string =>
  `  ${name}: ${received} 1 0 0 0 0 0 0 20 1 0 0 0 0 0 0\n`

/** Namespace 1 is our own. */
class MadeMachine {
  readonly #fake = fakeSystem({ files: { '/proc/self/ns/pid': 'pid:[4026531836]' } })
  readonly #received = new Map<number, number>()
  /** Further interfaces of namespace 2, and what each received. */
  readonly interfaces = new Map<string, number>()
  /** The number that they have. */
  index = 2
  /** Where each process is whose namespace may be read, or only be compared. */
  readonly #places = new Map<string, { space: number; isReadable: boolean }>()
  readonly members = new Map<number, Member>()
  readonly namespaces: JobNamespaces
  /** Processes whose network files were looked at. */
  readonly asked: string[] = []
  /** As with hidepid: nothing of processes that are not of the job can be read. */
  hidesOthers = false

  constructor() {
    const { files, tree } = this.#fake
    const spaceOf = (path: string): number | undefined => {
      const pid = path.split('/')[2] ?? ''
      return this.#isHidden(pid) ? undefined : this.#places.get(pid)?.space
    }
    const opened = new Map<number, number>()
    const made: Files = {
      ...files,
      list: (path) => files.list(path),
      readText: (path) => files.readText(this.#isHidden(path.split('/')[2] ?? '') ? '' : path),
      readLink: (path) => {
        this.asked.push(path)
        const pid = path.split('/')[2] ?? ''
        const isRefused = this.#isHidden(pid) || this.#places.get(pid)?.isReadable === false
        return files.readLink(isRefused ? '' : path)
      },
      open: (path) => {
        const descriptor = files.open(this.#isHidden(path.split('/')[2] ?? '') ? '' : path)
        const space = spaceOf(path)
        if (space !== undefined && path.endsWith('/net/dev')) opened.set(descriptor, space)
        return descriptor
      },
      lookAt: (descriptor, path) => {
        const space = opened.get(descriptor)
        if (space === undefined || this.#isHidden(path.split('/')[2] ?? '')) return undefined
        return { sizeBytes: 0, isInPlace: spaceOf(path) === space }
      },
    }
    tree.set('/proc/self/stat', '')
    this.put('self', 1)
    this.start(1, 0, 1)
    this.namespaces = new JobNamespaces(made)
  }

  #isHidden(pid: string): boolean {
    return this.hidesOthers && pid !== 'self' && !this.members.has(Number(pid))
  }

  /** Moves a process to a namespace. What is not readable can only be compared by its files. */
  put(pid: number | 'self', space: number, isReadable = true): void {
    this.#places.set(String(pid), { space, isReadable })
    const { tree } = this.#fake
    tree.set(`/proc/${pid}/ns/net`, `net:[${space}]`)
    tree.set(`/proc/${pid}/net/dev`, () =>
      [
        'head\nhead\n',
        line('eth0', this.#received.get(space) ?? 0),
        ...Array.from(space === 2 ? this.interfaces : [], ([name, bytes]) => line(name, bytes)),
      ].join(''),
    )
    tree.set(`/proc/${pid}/net/igmp`, () => this.#numbers())
  }

  #numbers(): string {
    const names = [...this.interfaces.keys()]
    return `Idx\tDevice\n${names.map((name) => `${this.index}\t${name} : 1 V3\n`).join('')}`
  }

  start(pid: number, began: number, space: number, isReadable = true): void {
    this.put(pid, space, isReadable)
    this.#fake.tree.set(
      `/proc/${pid}/stat`,
      `${pid} (x) S 1 1 1 0 -1 0 0 0 0 0 1 0 0 0 20 0 1 0 ${began} 0 1${' 0'.repeat(20)}\n`,
    )
  }

  /** Starts a process of the job. */
  join(pid: number, space: number, isReadable = true): Member {
    this.start(pid, jobBegan, space, isReadable)
    const member = new Member(pid, jobBegan, -1)
    member.stirs = 1
    this.members.set(pid, member)
    return member
  }

  /** A process of the job ran. */
  stir(member: Member): void {
    member.stirs += 1
  }

  receive(space: number, bytes: number): void {
    this.#received.set(space, (this.#received.get(space) ?? 0) + bytes)
  }

  look(active: readonly Member[] = []): void {
    this.asked.length = 0
    this.namespaces.look(this.members, active)
  }

  /** Two looks, with 50 bytes received in namespace 2 between them. */
  lookTwice(): JobNamespaces {
    this.receive(2, 100)
    this.look([...this.members.values()])
    this.receive(2, 50)
    this.look([...this.members.values()])
    return this.namespaces
  }
}

describe('a network namespace of a job', () => {
  it('is its own where nobody else is in it', () => {
    const machine = new MadeMachine()
    machine.join(7, 2)
    expect(machine.lookTwice()).toMatchObject({
      isEmpty: false,
      isShared: false,
      isHidden: false,
      seesMachine: true,
      receivedBytes: 50,
    })
  })

  it('is not its own where a process is that was there before the job', () => {
    const machine = new MadeMachine()
    machine.start(6, jobBegan - 1, 2)
    machine.join(7, 2)
    const namespaces = machine.lookTwice()
    expect(namespaces).toMatchObject({ isEmpty: true, isShared: true, receivedBytes: 0 })
  })

  it('is not its own where a process of another user is, who does not let its namespace be read', () => {
    const machine = new MadeMachine()
    machine.start(6, jobBegan - 1, 2, false)
    machine.join(7, 2)
    const namespaces = machine.lookTwice()
    expect(namespaces).toMatchObject({ isEmpty: true, isShared: true, receivedBytes: 0 })
  })

  it('is its own where processes of other users are elsewhere', () => {
    const machine = new MadeMachine()
    machine.start(5, 1, 1, false)
    machine.start(6, 1, 3, false)
    machine.join(7, 2)
    expect(machine.lookTwice()).toMatchObject({ isShared: false, isHidden: false })
    expect(machine.namespaces.receivedBytes).toBe(50)
  })

  it('is not known to be its own where /proc hides the processes of other users', () => {
    const machine = new MadeMachine()
    machine.hidesOthers = true
    machine.join(7, 2)
    const namespaces = machine.lookTwice()
    expect(namespaces).toMatchObject({ isEmpty: true, isShared: false, isHidden: true })
  })

  it('is not its own though thousands of processes are elsewhere and older', () => {
    const machine = new MadeMachine()
    for (let pid = 10; pid < 3000; pid += 1) machine.start(pid, 1, 1)
    machine.start(9000, jobBegan - 1, 2)
    machine.join(7, 2)
    expect(machine.lookTwice()).toMatchObject({ isEmpty: true, isShared: true })
  })

  it('is its own where a younger process is, which may be a child that was not found yet', () => {
    const machine = new MadeMachine()
    machine.start(8, jobBegan + 1, 2)
    machine.join(7, 2)
    expect(machine.lookTwice()).toMatchObject({ isShared: false, receivedBytes: 50 })
  })

  it('is its own where a process that was there has ended, and a younger one has its number', () => {
    const machine = new MadeMachine()
    machine.start(6, jobBegan - 1, 3)
    const first = machine.join(7, 4)
    machine.look([first])
    machine.start(6, jobBegan + 1, 2)
    machine.join(8, 2)
    expect(machine.lookTwice()).toMatchObject({ isShared: false, receivedBytes: 50 })
  })
})

describe('what a namespace received', () => {
  /** 300 processes in a namespace of their own, all of which run, and what the machine received besides. */
  const moving = (): { machine: MadeMachine; all: Member[] } => {
    const machine = new MadeMachine()
    for (let pid = 10; pid < 310; pid += 1) machine.join(pid, 2)
    const all = [...machine.members.values()]
    for (let look = 0; look < 5; look += 1) machine.look(all)
    machine.receive(1, 1_000_000)
    for (const member of all) machine.stir(member)
    return { machine, all }
  }

  it('is nothing of ours where processes come back to it, more than a look can ask', () => {
    const { machine, all } = moving()
    for (const { pid } of all) machine.put(pid, 1)
    for (let look = 0; look < 5; look += 1) machine.look(all)
    expect(machine.namespaces).toMatchObject({ receivedBytes: 0 })
  })

  it('is nothing of ours where a process comes back to it that seems to rest', () => {
    const machine = new MadeMachine()
    machine.join(7, 2)
    machine.join(8, 2)
    machine.lookTwice()
    machine.receive(1, 1_000_000)
    machine.receive(2, 700)
    machine.put(7, 1)
    machine.look()
    expect(machine.namespaces).toMatchObject({ receivedBytes: 50 })
    machine.look()
    machine.look()
    expect(machine.namespaces).toMatchObject({ receivedBytes: 750 })
  })

  it('is told by those who are still in it', () => {
    const { machine, all } = moving()
    machine.receive(2, 700)
    for (const { pid } of all.slice(0, 150)) machine.put(pid, 1)
    for (let look = 0; look < 5; look += 1) machine.look(all)
    expect(machine.namespaces).toMatchObject({ receivedBytes: 700 })
  })
})

describe('an interface that comes into a namespace of the job later', () => {
  /** What the job is told to have received after each look, beside an interface that has received so much then. */
  const toldBeside = (...looks: readonly (number | undefined)[]): number[] => {
    const machine = new MadeMachine()
    const member = machine.join(7, 2)
    machine.look([member])
    return looks.map((received) => {
      machine.interfaces.clear()
      if (received !== undefined) machine.interfaces.set('e1', received)
      machine.look([member])
      return machine.namespaces.receivedBytes
    })
  }

  it('counts from when it is first seen there, for it may have been moved in', () => {
    expect(toldBeside(2_000_000, 2_000_000, 2_000_500)).toEqual([0, 0, 500])
  })

  it('counts as far as it was seen where it is gone or moved on, and anew when it is back', () => {
    expect(toldBeside(100, 150, undefined, 150, 160)).toEqual([0, 50, 50, 50, 60])
  })

  it('is another one where it has another number', () => {
    const machine = new MadeMachine()
    const member = machine.join(7, 2)
    const told = [100, 150, 2_000_000, 2_000_007].map((received, look) => {
      machine.index = look < 2 ? 3 : 4
      machine.interfaces.set('e1', received)
      machine.look([member])
      return machine.namespaces.receivedBytes
    })
    expect(told).toEqual([0, 50, 50, 57])
  })

  it('is another one where it has received less', () => {
    expect(toldBeside(100, 150, 20, 30, 200)).toEqual([0, 50, 50, 60, 230])
  })
})

describe('the processes of a job, and whether they were all in its namespace', () => {
  it('were, however many there are and however little they do', () => {
    const machine = new MadeMachine()
    for (let pid = 10; pid < 110; pid += 1) machine.join(pid, 2)
    machine.look([...machine.members.values()])
    for (let look = 0; look < 3; look += 1) machine.look()
    expect(machine.namespaces.hadAll).toBe(true)
  })

  it('were not where one stayed in ours', () => {
    const machine = new MadeMachine()
    machine.join(7, 1)
    machine.join(8, 2)
    machine.lookTwice()
    expect(machine.namespaces.hadAll).toBe(false)
  })

  it('were not where one rested in ours before the namespace was there', () => {
    const machine = new MadeMachine()
    machine.look([machine.join(7, 1)])
    machine.look([machine.join(8, 2)])
    expect(machine.namespaces.hadAll).toBe(false)
  })

  it('were where the first of them was in ours only before the namespace was there', () => {
    const machine = new MadeMachine()
    const first = machine.join(7, 1)
    machine.look([first])
    machine.stir(first)
    machine.put(7, 2)
    machine.look([first])
    expect(machine.namespaces.hadAll).toBe(true)
  })

  it('are not known to have been where some were never asked', () => {
    const machine = new MadeMachine()
    for (let pid = 10; pid < 1010; pid += 1) machine.join(pid, 2)
    machine.look([...machine.members.values()])
    expect(machine.namespaces.hadAll).toBeNull()
    for (let look = 0; look < 20; look += 1) machine.look()
    expect(machine.namespaces.hadAll).toBe(true)
  })

  it('are not known to have been where one ran again before it was asked for the first time', () => {
    const machine = new MadeMachine()
    for (let pid = 10; pid < 310; pid += 1) machine.join(pid, 2)
    const last = machine.join(310, 1)
    machine.look([...machine.members.values()])
    expect(machine.namespaces.hadAll).toBeNull()
    machine.stir(last)
    machine.put(310, 2)
    for (let look = 0; look < 5; look += 1) machine.look()
    expect(machine.namespaces.hadAll).toBeNull()
  })

  it('are not known to have been where one did not say at first, and ran again', () => {
    const machine = new MadeMachine()
    machine.join(7, 2)
    const silent = machine.join(8, 1, false)
    machine.lookTwice()
    machine.stir(silent)
    machine.put(8, 2)
    machine.look([silent])
    expect(machine.namespaces.hadAll).toBeNull()
  })

  it('are not known to have been where one was found to be there no longer, and came back', () => {
    const machine = new MadeMachine()
    machine.join(7, 2)
    machine.join(8, 2)
    machine.lookTwice()
    machine.put(7, 1)
    machine.look()
    machine.put(7, 2)
    machine.look()
    expect(machine.namespaces.hadAll).toBeNull()
  })

  it('are not known to have been where one does not say, or ended before it was asked', () => {
    const refusing = new MadeMachine()
    refusing.join(7, 2)
    refusing.join(8, 2, false)
    refusing.lookTwice()
    expect(refusing.namespaces.hadAll).toBeNull()
    const ending = new MadeMachine()
    ending.join(7, 2)
    ending.join(8, 2, false)
    ending.lookTwice()
    ending.members.delete(8)
    ending.look()
    expect(ending.namespaces.hadAll).toBeNull()
  })

  it('are not known to have been where one moved and will not say where to', () => {
    const joined = new MadeMachine()
    const first = joined.join(7, 1)
    joined.look([first])
    joined.stir(first)
    joined.put(7, 2, false)
    joined.look([first, joined.join(8, 2)])
    expect(joined.namespaces.hadAll).toBeNull()
    const left = new MadeMachine()
    left.join(7, 2)
    const second = left.join(8, 2)
    left.lookTwice()
    left.stir(second)
    left.put(8, 1, false)
    left.look([second])
    expect(left.namespaces.hadAll).toBeNull()
  })

  it('are not known to have been where one ran and ended before it was asked again', () => {
    const machine = new MadeMachine()
    for (let pid = 10; pid < 310; pid += 1) machine.join(pid, 2)
    const all = [...machine.members.values()]
    for (let look = 0; look < 5; look += 1) machine.look(all)
    expect(machine.namespaces.hadAll).toBe(true)
    for (const member of all) machine.stir(member)
    machine.put(250, 1)
    machine.look(all)
    expect(machine.namespaces.hadAll).toBeNull()
    machine.members.delete(250)
    for (let look = 0; look < 5; look += 1) machine.look()
    expect(machine.namespaces.hadAll).toBeNull()
  })

  it('were where one ended as it was last seen, or was found dead', () => {
    const machine = new MadeMachine()
    machine.join(7, 2)
    const [dead, gone] = [machine.join(8, 2), machine.join(9, 2)]
    machine.lookTwice()
    // Others look at them more often than they are asked where they are.
    for (const member of [dead, gone]) machine.stir(member)
    dead.zombie = true
    machine.members.delete(gone.pid)
    machine.look()
    expect(machine.namespaces.hadAll).toBe(true)
  })

  it('are not known to have been where one ended that was found to be there no longer', () => {
    const machine = new MadeMachine()
    machine.join(7, 2)
    machine.join(8, 2)
    machine.lookTwice()
    machine.put(7, 1)
    machine.look()
    machine.members.delete(7)
    machine.look()
    expect(machine.namespaces.hadAll).toBeNull()
  })

  it('are asked few at a time, whether they do something or next to nothing', () => {
    const machine = new MadeMachine()
    for (let pid = 10; pid < 1010; pid += 1) machine.join(pid, 1)
    const all = [...machine.members.values()]
    for (let look = 0; look < 5; look += 1) {
      for (const member of all) machine.stir(member)
      machine.look(all)
      expect(machine.asked.length).toBeLessThanOrEqual(128)
    }
  })

  it('are elsewhere no longer where they come back to ours', () => {
    const machine = new MadeMachine()
    const member = machine.join(7, 2)
    machine.look([member])
    expect(machine.namespaces.has(member)).toBe(true)
    machine.stir(member)
    machine.put(7, 1)
    machine.look()
    expect(machine.namespaces.has(member)).toBe(false)
  })
})
