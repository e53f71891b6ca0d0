import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../system/fake.ts'
import { NodeGpus } from './gpus/node-gpus.ts'
import { NodeSampler } from './node-sampler.ts'
import type { ExitRecord } from './processes/exit-record.ts'

/** A process of a made-up node; times in ticks. */
interface Life {
  readonly pid: number
  parent: number
  readonly uid: number
  /** Asked for the orphans below it. */
  readonly isSubreaper: boolean
  /** Will not wait for its children; this is known once it has been looked at. */
  readonly ignores: boolean
  isZombie: boolean
  isSeen: boolean
  own: number
  children: number
}

type Step =
  | {
      readonly kind: 'fork'
      readonly of: number
      readonly uid: number
      readonly isSubreaper: boolean
      readonly ignores: boolean
    }
  | { readonly kind: 'run'; readonly who: number; readonly ticks: number }
  | { readonly kind: 'end' | 'die' | 'wait'; readonly who: number }
  | { readonly kind: 'kill'; readonly who: number; readonly isFromAbove: boolean }
  | { readonly kind: 'round' }

const who = fc.nat(1000)
const seldom = fc.integer({ min: 0, max: 5 }).map((number) => number === 5)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('fork' as const),
    of: who,
    uid: fc.integer({ min: 1000, max: 1002 }),
    isSubreaper: seldom,
    ignores: seldom,
  }),
  fc.record({ kind: fc.constant('run' as const), who, ticks: fc.integer({ min: 1, max: 500 }) }),
  fc.record({ kind: fc.constantFrom('end' as const, 'die' as const, 'wait' as const), who }),
  fc.record({ kind: fc.constant('kill' as const), who, isFromAbove: fc.boolean() }),
  fc.constant({ kind: 'round' as const }),
)

/** A node that treats its processes as the kernel does. */
class Node {
  readonly system = fakeSystem()
  readonly #bootedAt = this.system.clock.wallSeconds() - 1000
  readonly living = new Map<number, Life>()
  readonly usedBy = new Map<number, number>()
  records: ExitRecord[] = []
  readonly #mayIgnore: boolean
  #busy = 0
  #nextPid = 2

  constructor(mayIgnore: boolean) {
    this.#mayIgnore = mayIgnore
    const { clock, tree } = this.system
    tree.set('/proc/uptime', () => `${clock.wallSeconds() - this.#bootedAt} 0\n`)
    tree.set('/proc/stat', () => `cpu  ${this.#busy} 0 0 0 0 0 0 0 0 0\nprocesses 5\n`)
    this.#begin(1, { parent: 0, uid: 0, isSubreaper: true, ignores: false })
  }

  take(one: Step): void {
    if (one.kind === 'fork') {
      const ignores = this.#mayIgnore && one.ignores && !one.isSubreaper
      this.#begin(this.#nextPid++, { ...one, parent: this.#pick(one.of).pid, ignores })
    }
    if (one.kind === 'run') this.#run(this.#pick(one.who), one.ticks)
    if (one.kind === 'end') this.#endAll([this.#pick(one.who)])
    if (one.kind === 'die') this.#die(this.#pick(one.who))
    if (one.kind === 'wait') this.#waitBy(this.#pick(one.who))
    if (one.kind === 'kill') {
      const tree = this.#treeOf(this.#pick(one.who)).filter(({ pid }) => pid > 1)
      this.#endAll(one.isFromAbove ? tree : tree.toReversed())
    }
    if (one.kind === 'round') for (const life of this.living.values()) life.isSeen = true
  }

  #pick(at: number): Life {
    const all = [...this.living.values()].filter(({ isZombie }) => !isZombie)
    return all[at % all.length] ?? expect.fail('the first process never ends')
  }

  #begin(
    pid: number,
    { parent, uid, isSubreaper, ignores }: Pick<Life, 'parent' | 'uid' | 'isSubreaper' | 'ignores'>,
  ): void {
    const state = { isZombie: false, isSeen: false, own: 0, children: 0 }
    const life = { pid, parent, uid, isSubreaper, ignores, ...state }
    this.living.set(pid, life)
    this.#show(life)
  }

  #run(life: Life, ticks: number): void {
    life.own += ticks
    this.#busy += ticks
    this.usedBy.set(life.uid, (this.usedBy.get(life.uid) ?? 0) + ticks)
  }

  #childrenOf = ({ pid }: Life): Life[] =>
    [...this.living.values()].filter(({ parent }) => parent === pid)

  #treeOf = (life: Life): Life[] => [
    life,
    ...this.#childrenOf(life).flatMap((child) => this.#treeOf(child)),
  ]

  #parentOf = (life: Life): Life =>
    this.living.get(life.parent) ?? expect.fail('orphans are adopted')

  /** All die in this order, and then the first of their parents that lives waits. */
  #endAll(lives: readonly Life[]): void {
    for (const life of lives) this.#die(life)
    for (const life of lives)
      if (this.living.has(life.pid) && life.isZombie && !this.#parentOf(life).isZombie)
        this.#waitBy(this.#parentOf(life))
  }

  /** Whoever waits gets its counters; its children are given to who asked for orphans, who waits for those that are dead. */
  #die(life: Life): void {
    if (life.pid === 1 || life.isZombie) return
    life.isZombie = true
    this.#record(life)
    let adopter = this.#parentOf(life)
    while (adopter.isZombie || !adopter.isSubreaper) adopter = this.#parentOf(adopter)
    for (const child of this.#childrenOf(life)) child.parent = adopter.pid
    this.#waitBy(adopter)
    const parent = this.#parentOf(life)
    if (parent.ignores && parent.isSeen) this.living.delete(life.pid)
  }

  #waitBy(parent: Life): void {
    for (const child of this.#childrenOf(parent)) {
      if (!child.isZombie) continue
      this.living.delete(child.pid)
      parent.children += child.own + child.children
    }
  }

  #record(life: Life): void {
    this.records.push({
      pid: life.pid,
      processId: life.pid,
      parentPid: life.parent,
      uid: life.uid,
      command: `c${life.uid}`,
      startedAt: this.#bootedAt + life.pid,
      cpuSeconds: life.own / 100,
      readBytes: 0,
      writeBytes: 0,
    })
  }

  /** Kept descriptors are read again: the files tell how things stand then. */
  #show(life: Life): void {
    const { pid, uid } = life
    const whileAlive = (text: () => string) => () => (this.living.has(pid) ? text() : undefined)
    this.system.tree.set(
      `/proc/${pid}/stat`,
      whileAlive(() => {
        const times = `${life.own} 0 ${life.children} 0`
        return `${pid} (c${uid}) ${life.isZombie ? 'Z' : 'S'} ${life.parent} ${pid} ${pid} 0 -1 0 1 0 0 0 ${times} 20 0 1 0 ${pid * 100} 0 1 ${'0 '.repeat(28)}\n`
      }),
    )
    this.system.tree.set(
      `/proc/${pid}/status`,
      whileAlive(() => {
        const ignored = life.ignores ? '0000000000010000' : '0000000000000000'
        return `Uid:\t${uid}\t${uid}\t${uid}\t${uid}\nSigIgn:\t${ignored}\n`
      }),
    )
  }
}

const steps = fc.array(step, { maxLength: 120, size: 'max' })

/** What all rounds told, by user, in seconds. */
function toldOf(node: Node, taken: readonly Step[], hasRecords: boolean): Map<string, number> {
  const exits = {
    drain: () => ({ records: node.records.splice(0), lost: 0 }),
    close: () => undefined,
  }
  const gpus = new NodeGpus(node.system)
  const sampler = new NodeSampler(node.system, hasRecords ? exits : undefined, gpus)
  const told = new Map<string, number>()
  for (const one of [...taken, { kind: 'round' } as const]) {
    node.take(one)
    if (one.kind !== 'round') continue
    node.system.advance(60)
    for (const job of sampler.round(null).jobs)
      told.set(job.user, (told.get(job.user) ?? 0) + job.cpuSeconds)
  }
  return told
}

describe('the sum over jobs', () => {
  it('is what the node used, and each user’s part theirs, with records of ends', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const node = new Node(true)
        const told = toldOf(node, taken, true)
        expect(told.get('unattributed') ?? 0).toBeCloseTo(0, 6)
        for (const [uid, ticks] of node.usedBy)
          expect(told.get(String(uid)) ?? 0).toBeCloseTo(ticks / 100, 6)
      }),
      { numRuns: 500 },
    )
  })

  it('is what the node used without records: what ended counts for who waited for it', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const told = toldOf(new Node(false), taken, false)
        expect(told.get('unattributed') ?? 0).toBeCloseTo(0, 6)
      }),
      { numRuns: 500 },
    )
  })

  it('is never more than the node used, where nobody has waited and nothing tells of it', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const told = toldOf(new Node(true), taken, false)
        expect(told.get('unattributed') ?? 0).toBeGreaterThan(-1e-6)
      }),
      { numRuns: 500 },
    )
  })
})
