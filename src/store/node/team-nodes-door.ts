import type { OpenTeamNodes } from '../postgres/nodes/open-team-nodes.ts'
import { shownAddress } from '../ledger/team-address.ts'
import { nodeQuestions, type NodeQuestions } from './node-questions.ts'
import type { NodeViewer } from './viewer.ts'

/**
 * What agents sent to a team. The first question loads what speaks to PostgreSQL, and connects; where that fails, the next
 * one tries again.
 */
export class TeamNodesDoor {
  readonly path: string
  readonly #address: string
  readonly #onProblem: (problem: string) => void
  readonly #answerSeconds: number | undefined
  #opened: Promise<OpenTeamNodes> | undefined

  /** `onProblem` hears of rows that cannot be read, and are passed over. */
  constructor(address: string, onProblem: (problem: string) => void, answerSeconds?: number) {
    this.#address = address
    this.#onProblem = onProblem
    this.#answerSeconds = answerSeconds
    this.path = shownAddress(address)
  }

  /** `close`: what is done when they are closed. */
  askFor(viewer: NodeViewer | null, close?: () => Promise<void>): NodeQuestions {
    return nodeQuestions(
      this.path,
      async (name, given) => {
        this.#opened ??= this.#open()
        const asked = (await this.#opened).askFor(viewer)
        const ask = asked[name] as (...values: unknown[]) => Promise<unknown>
        return ask(...given)
      },
      close,
    )
  }

  async close(): Promise<void> {
    const opened = this.#opened
    this.#opened = undefined
    // Whoever asked was told why it could not be opened.
    const nodes = await opened?.catch(() => undefined)
    await nodes?.close()
  }

  async #open(): Promise<OpenTeamNodes> {
    try {
      const { openTeamNodes } = await import('../postgres/nodes/open-team-nodes.ts')
      return await openTeamNodes(this.#address, this.#onProblem, this.#answerSeconds)
    } catch (error) {
      this.#opened = undefined
      throw error
    }
  }
}

/** The same for one who asks, and is done. */
export function nodesOfTeamAt(
  address: string,
  viewer: NodeViewer | null,
  onProblem: (problem: string) => void = () => {},
): NodeQuestions {
  const door = new TeamNodesDoor(address, onProblem)
  return door.askFor(viewer, () => door.close())
}
