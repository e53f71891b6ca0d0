import type { FailureHandler, FailureRule } from '../../model/workflow.ts'

/** How often each rule of a job's failure handler has been used. */
export class Retries {
  readonly #used = new Map<FailureRule, number>()

  /** The rule that gives this exit code another try, and counts it; undefined when there is none left. */
  take(handler: FailureHandler | null, exitCode: number | null): FailureRule | undefined {
    const rule = handler?.rules.find(
      ({ exitCodes }) => exitCodes === null || (exitCode !== null && exitCodes.includes(exitCode)),
    )
    if (rule === undefined) return undefined
    const used = this.#used.get(rule) ?? 0
    if (used >= rule.maxRetries) return undefined
    this.#used.set(rule, used + 1)
    return rule
  }
}
