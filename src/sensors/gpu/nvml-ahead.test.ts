import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ok } from '../../model/reading.ts'
import { fakeSystem, type FakeSystem } from '../../system/fake.ts'
import { lineHead } from '../../system/helper-end.ts'
import type { HelperLine } from '../../system/system.ts'
import { GpuCard } from './gpu-card.ts'
import { CardFrames, nvmlRequests } from './nvml-answers.ts'
import { NvmlProcess } from './nvml-process.ts'

const identity = {
  vendor: 'nvidia',
  source: 'NVML',
  index: 0,
  id: 'GPU-0',
  name: 'H200',
  parentId: null,
} as const

/** A helper whose card says which request it answers: its memory is the number of it, and its energy that of the last dear one. */
class NumberedLine implements HelperLine {
  readonly #now: () => number
  readonly #wait: (seconds: number) => void
  readonly #card = new GpuCard(identity)
  readonly #frames = new CardFrames()
  #greeting: Buffer | undefined = Buffer.from(JSON.stringify(ok([{ identity, isDivided: false }])))
  /** When the request was made that is not answered yet. */
  pendingSince = NaN
  #isPending = false
  #hasBeenWaitedFor = false
  /** The driver hangs. */
  isHung = false
  sent = 0
  /** What no helper may be put through. */
  readonly faults: string[] = []

  constructor({ clock, stall }: FakeSystem) {
    this.#now = () => clock.monotonicSeconds()
    this.#wait = stall
  }

  send(request: Buffer): boolean {
    if (this.#isPending) this.faults.push('asked before the last answer was taken')
    this.#isPending = true
    this.pendingSince = this.#now()
    this.#hasBeenWaitedFor = false
    this.sent += 1
    this.#card.memoryUsedBytes = this.sent
    if (request[lineHead] === nvmlRequests.lookSeldom) this.#card.energyJoules = this.sent
    return true
  }

  receive(waitSeconds: number): Buffer | 'none yet' | 'ended' {
    const greeting = this.#greeting
    this.#greeting = undefined
    if (greeting !== undefined) return greeting
    if (!this.#isPending) this.faults.push('waits for what nobody asked for')
    if (this.isHung) {
      if (waitSeconds > 0 && this.#hasBeenWaitedFor) this.faults.push('waits twice')
      this.#hasBeenWaitedFor ||= waitSeconds > 0
      this.#wait(waitSeconds)
      return 'none yet'
    }
    this.#isPending = false
    return Buffer.from(this.#frames.write([this.#card]).subarray(lineHead))
  }

  close(): void {}
  kill(): void {}
}

const nothingAsked = { at: -Infinity, sent: 0, seldom: false }

interface Opened {
  readonly machine: FakeSystem
  readonly line: NumberedLine
  readonly source: NvmlProcess
  readonly card: GpuCard
  /** When a look was last asked for ahead, and how many requests there were before. */
  asked: typeof nothingAsked
}

async function openNumbered(): Promise<Opened> {
  const machine = fakeSystem()
  const line = new NumberedLine(machine)
  const source = await NvmlProcess.open({
    ...machine,
    startHelper: () => Promise.resolve(ok(line)),
  })
  if (source.kind !== 'ok') throw new Error(JSON.stringify(source))
  const [card] = source.value.cards
  if (card === undefined) throw new Error('no card')
  return { machine, line, source: source.value, card, asked: nothingAsked }
}

describe('a look whose answer does not come', () => {
  it('is held up for a tenth of a second, once, and the cards fail after a second', async () => {
    const { machine, line, source, card } = await openNumbered()
    const heldUp = (look: () => void): number => {
      const begun = machine.clock.monotonicSeconds()
      look()
      return machine.clock.monotonicSeconds() - begun
    }
    source.look(false)
    line.isHung = true
    expect(heldUp(() => source.look(false))).toBeCloseTo(0.1, 6)
    machine.stall(0.8)
    expect(heldUp(() => source.look(true))).toBe(0)
    expect([card.memoryUsedBytes, card.failure]).toEqual([1, null])
    machine.stall(0.2)
    expect(heldUp(() => source.look(false))).toBe(0)
    expect(card.failure).toBe('the GPU driver did not answer for 1.1 s')
  })

  it('is held up no longer where it was asked for ahead', async () => {
    const { machine, line, source } = await openNumbered()
    line.isHung = true
    const begun = machine.clock.monotonicSeconds()
    source.ask(false)
    expect(machine.clock.monotonicSeconds()).toBe(begun)
    source.look(false)
    expect(machine.clock.monotonicSeconds() - begun).toBeCloseTo(0.1, 6)
  })
})

describe('a look that was asked for ahead', () => {
  it('is one request, and its answer is that of the look', async () => {
    const { line, source, card } = await openNumbered()
    source.ask(false)
    source.ask(false)
    expect(line.sent).toBe(1)
    expect(card.memoryUsedBytes).toBeNaN()
    source.look(false)
    expect([line.sent, card.memoryUsedBytes]).toEqual([1, 1])
    source.look(false)
    expect([line.sent, card.memoryUsedBytes]).toEqual([2, 2])
  })

  it('is asked for again where nobody took it in time, or it lacks what is wanted', async () => {
    const { machine, line, source, card } = await openNumbered()
    source.ask(false)
    machine.stall(1)
    source.look(false)
    expect([line.sent, card.memoryUsedBytes]).toEqual([2, 2])
    source.ask(false)
    source.look(true)
    expect([line.sent, card.memoryUsedBytes, card.energyJoules]).toEqual([4, 4, 4])
  })

  it('is not lost where something else is asked for before it is taken', async () => {
    const { line, source, card } = await openNumbered()
    source.ask(false)
    source.lookAtActivity([card])
    source.look(false)
    expect([line.sent, card.memoryUsedBytes, card.failure]).toEqual([2, 2, null])
  })

  it('never gets the answer of another, in whatever order things happen', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const opened = await openNumbered()
        const faults = steps.flatMap((each) => faultsOf(each, opened))
        expect([...faults, ...opened.line.faults]).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })
})

const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('ask', 'look'), seldom: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('activity', 'shares', 'hang', 'mend') }),
  fc.record({ kind: fc.constant('pass'), seconds: fc.constantFrom(0.001, 0.15, 0.3, 5) }),
)
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never

/** Takes a step; a look answers what is wrong with what it told. */
function faultsOf({ kind, ...of }: Step, opened: Opened): string[] {
  const { machine, line, source, card } = opened
  const seldom = 'seldom' in of && of.seldom
  if (kind === 'hang' || kind === 'mend') line.isHung = kind === 'hang'
  else if ('seconds' in of) machine.stall(of.seconds)
  else if (kind === 'activity') source.lookAtActivity([card])
  else if (kind === 'shares') source.lookAtShares(card)
  else if (kind === 'ask') {
    const at = machine.clock.monotonicSeconds()
    // To ask twice is to ask once, for as long as the first may be taken.
    if (opened.asked.seldom !== seldom || at - opened.asked.at > 0.2)
      opened.asked = { at, sent: line.sent, seldom }
    source.ask(seldom)
  } else return faultsOfLook(seldom, opened)
  return []
}

function faultsOfLook(seldom: boolean, opened: Opened): string[] {
  const { machine, line, source, card, asked } = opened
  // What was asked just before this look, or by it, and nothing older.
  const isAhead = machine.clock.monotonicSeconds() - asked.at <= 0.2
  const before = isAhead ? asked.sent : line.sent
  opened.asked = nothingAsked
  source.look(seldom)
  if (card.failure !== null)
    return [
      ...(line.isHung ? [] : [`failed without a reason: ${card.failure}`]),
      ...(Number.isNaN(card.memoryUsedBytes) ? [] : ['figures of a card that failed']),
    ]
  // For a second nothing is made of an answer that is late.
  const { pendingSince } = line
  if (line.isHung && machine.clock.monotonicSeconds() - pendingSince < 1) return []
  return [
    ...(card.memoryUsedBytes > before ? [] : ['an older answer']),
    ...(!seldom || card.energyJoules > before ? [] : ['older energy']),
  ]
}
