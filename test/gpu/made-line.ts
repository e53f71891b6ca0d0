import type { GpuSource } from '../../src/sensors/gpu/gpu-card.ts'
import { CardFrames, nvmlRequests } from '../../src/sensors/gpu/nvml-answers.ts'
import { NvmlProcess } from '../../src/sensors/gpu/nvml-process.ts'
import { ok } from '../../src/model/reading.ts'
import type { FakeSystem } from '../../src/system/fake.ts'
import { lineHead } from '../../src/system/helper-end.ts'
import type { HelperLine } from '../../src/system/system.ts'

/** The process that asks NVML, made of a source of the test: what that says goes through the frames of the real one. */
export class MadeLine implements HelperLine {
  /** The driver takes longer to answer than anybody waits. */
  isLate = false
  /** Likewise, of these requests alone: the answer comes before the next one. */
  lateRequest: number | undefined
  readonly #cards: GpuSource
  readonly #wait: (seconds: number) => void
  readonly #frames = new CardFrames()
  #greeting: Buffer | undefined
  #request: readonly number[] | undefined

  constructor(cards: GpuSource, wait: (seconds: number) => void) {
    this.#cards = cards
    this.#wait = wait
    const greeted = cards.cards.map(({ identity, isDivided }) => ({ identity, isDivided }))
    this.#greeting = Buffer.from(JSON.stringify(ok(greeted)))
  }

  send(request: Buffer): boolean {
    this.#request = [...new Uint32Array(new Uint8Array(request.subarray(lineHead)).buffer)]
    return true
  }

  receive(waitSeconds: number): Buffer | 'none yet' {
    const greeting = this.#greeting
    this.#greeting = undefined
    if (greeting !== undefined) return greeting
    const isLate = this.isLate || (waitSeconds > 0 && this.#request?.[0] === this.lateRequest)
    if (isLate || this.#request === undefined) {
      this.#wait(waitSeconds)
      return 'none yet'
    }
    this.#answer(this.#request)
    this.#request = undefined
    return Buffer.from(this.#frames.write(this.#cards.cards).subarray(lineHead))
  }

  close(): void {}
  kill(): void {}

  #answer([wanted, ...places]: readonly number[]): void {
    const cards = places.flatMap((place) => this.#cards.cards[place] ?? [])
    if (wanted === nvmlRequests.activity) this.#cards.lookAtActivity(cards)
    else if (wanted === nvmlRequests.shares)
      for (const card of cards) this.#cards.lookAtShares?.(card)
    else this.#cards.look(wanted === nvmlRequests.lookSeldom)
  }
}

/** Cards as jobmeter has them where NVML tells of them. */
export async function throughNvml(
  machine: FakeSystem,
  cards: GpuSource,
): Promise<{ readonly line: MadeLine; readonly source: NvmlProcess }> {
  const line = new MadeLine(cards, machine.stall)
  const startHelper = () => Promise.resolve(ok(line))
  const source = await NvmlProcess.open({ ...machine, startHelper })
  if (source.kind !== 'ok') throw new Error(JSON.stringify(source))
  return { line, source: source.value }
}
