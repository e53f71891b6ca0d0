import type { GpuVendor } from '../../model/gpu-usage.ts'
import { failed, ok, unavailable, whyNot, type Reading } from '../../model/reading.ts'
import type { System } from '../../system/system.ts'
import { GpuCard, type GpuSource } from './gpu-card.ts'
import { takeTold, type ToldCard } from './told-card.ts'

/** A tool takes tens of milliseconds of CPU each time. */
const secondsBetween = 5

/** A tool that tells of cards where nothing better does. */
export interface GpuTool {
  readonly vendor: GpuVendor
  readonly command: readonly [tool: string, ...args: string[]]
  readonly parse: (text: string) => readonly ToldCard[] | undefined
}

/** Cards by the output of a tool, which runs beside us now and then. It says nothing of processes. */
export class ToolCards implements GpuSource {
  readonly name: string
  readonly cards: readonly GpuCard[]
  readonly #system: System
  readonly #tool: GpuTool
  #ranAt: number
  #isRunning = false

  private constructor(system: System, tool: GpuTool, told: readonly ToldCard[]) {
    this.#system = system
    this.#tool = tool
    this.name = tool.command[0]
    this.#ranAt = system.clock.monotonicSeconds()
    this.cards = told.map(({ id, name }, index) => {
      const { vendor } = tool
      return new GpuCard({ vendor, source: this.name, index, id, name, parentId: null })
    })
    this.#take(told)
  }

  static async open(system: System, tool: GpuTool): Promise<Reading<ToolCards>> {
    const output = await system.toolOutput(tool.command)
    if (output.kind !== 'ok') return output
    const told = toldBy(tool, output.value)
    const [name] = tool.command
    if (told === undefined) return failed(`${name} printed what this build does not know`)
    return told.length === 0
      ? unavailable(`${name} tells of no card`)
      : ok(new ToolCards(system, tool, told))
  }

  /** What it told last stands until its next output. */
  look(): boolean {
    const now = this.#system.clock.monotonicSeconds()
    if (this.#isRunning || now - this.#ranAt < secondsBetween) return true
    this.#ranAt = now
    this.#isRunning = true
    void this.#run()
    return true
  }

  lookAtActivity(): void {
    // No tool tells of it.
  }

  close(): void {
    // A run that is under way ends by itself.
  }

  async #run(): Promise<void> {
    const output = await this.#system.toolOutput(this.#tool.command)
    this.#isRunning = false
    const told = output.kind === 'ok' ? toldBy(this.#tool, output.value) : undefined
    if (told !== undefined) this.#take(told)
    else for (const card of this.cards) card.fail(whyLost(output, this.name))
  }

  #take(told: readonly ToldCard[]): void {
    for (const card of this.cards) {
      const found = told.find(({ id }) => id === card.identity.id)
      if (found === undefined) card.fail(`${this.name} does not tell of it any more`)
      else {
        takeTold(card, found)
        card.processes.loss = `${this.name} does not tell of processes`
      }
    }
  }
}

const whyLost = (output: Reading<string>, tool: string): string =>
  output.kind === 'ok' ? `${tool} printed what this build does not know` : whyNot(output)

/** Undefined where it printed something that nobody expects of it. */
function toldBy(tool: GpuTool, text: string): readonly ToldCard[] | undefined {
  try {
    return tool.parse(text)
  } catch {
    return undefined
  }
}
