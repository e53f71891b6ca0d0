import { appendFileSync, constants, readFileSync, rmSync } from 'node:fs'
import type { EndedAttempt } from '../postgres/queue/exchange.ts'
import type { LogPaths } from '../postgres/queue/logs.ts'

/** A result that is on record here, and that the queue may not have heard of. */
export interface UntoldResult {
  /** As which its worker was known to the queue. */
  readonly workerId: string
  readonly end: EndedAttempt
  /** null of an attempt that never began. */
  readonly logs: LogPaths | null
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants

/** A file of what a worker has to tell, for whoever comes after it if it is killed. It is there as long as there is something. */
export class UntoldResults {
  readonly #path: string
  readonly #noted = new Set<string>()

  constructor(path: string) {
    this.#path = path
  }

  /** Those that stand there already are not written again. */
  note(results: readonly UntoldResult[]): void {
    const fresh = results.filter(({ end }) => !this.#noted.has(end.taskId))
    if (fresh.length === 0) return
    for (const { end } of fresh) this.#noted.add(end.taskId)
    try {
      const flag = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW
      const text = fresh.map((each) => `${JSON.stringify(each)}\n`).join('')
      appendFileSync(this.#path, text, { flag: flag as unknown as string, mode: 0o600 })
    } catch {
      // A full disk is told where it costs something; this only helps who comes after a kill.
    }
  }

  /** The queue has heard of these. What it is told twice changes nothing, so the file goes with the last of them. */
  areTold(ends: readonly EndedAttempt[]): void {
    if (this.#noted.size === 0) return
    for (const { taskId } of ends) this.#noted.delete(taskId)
    if (this.#noted.size === 0) rmSync(this.#path, { force: true })
  }
}

/** What a worker that is dead had to tell: all of its lines that are whole. */
export function untoldIn(path: string): readonly UntoldResult[] {
  return linesOf(path).flatMap((line) => {
    try {
      return [JSON.parse(line) as UntoldResult]
    } catch {
      return []
    }
  })
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, {
      encoding: 'utf8',
      flag: (constants.O_RDONLY | O_NOFOLLOW) as unknown as string,
    })
      .split('\n')
      .filter((line) => line !== '')
  } catch {
    return []
  }
}
