import type { Policy } from '../../model/policy.ts'
import type { PolicyFinding, PolicySubject } from '../../model/violation.ts'
import { Dwell, type Stretch } from './dwell.ts'
import type { Figures } from './figure-list.ts'
import { findingText } from './finding-words.ts'

/** One subject under one policy, for as long as there is something to remember. */
export class WatchedSubject {
  readonly policy: Policy
  readonly subject: PolicySubject
  /** A violation that is not over. */
  isOpen = false
  /** That the conditions hold, whether or not anybody is harmed. */
  readonly #held = new Dwell()
  /** That they hold and the rest of the node is not idle. */
  readonly #harms = new Dwell()
  /** That this is not so. */
  readonly #clear = new Dwell()
  #openSinceMs = 0
  #openMs = 0

  constructor(policy: Policy, subject: PolicySubject) {
    this.policy = policy
    this.subject = subject
  }

  /** One that was a violation already. */
  static open(policy: Policy, subject: PolicySubject, sinceMs: number): WatchedSubject {
    const watched = new WatchedSubject(policy, subject)
    watched.isOpen = true
    watched.#openSinceMs = sinceMs
    return watched
  }

  /** Whether nothing would be lost if it were forgotten. */
  get isIdle(): boolean {
    return !this.isOpen && this.#held.heldMs === 0
  }

  /** `holds`: null if that is not known. `suppressedBecause`: why nobody is harmed. */
  add(
    holds: boolean | null,
    suppressedBecause: string | null,
    figures: Figures,
    stretch: Stretch,
  ): { readonly finding: PolicyFinding | null; readonly end: string | null } {
    const harms = holds === null ? null : holds && suppressedBecause === null
    this.#held.add(holds, stretch)
    this.#harms.add(harms, stretch)
    this.#clear.add(harms === null ? null : !harms, stretch)
    const { forSeconds } = this.policy
    if (!this.isOpen && this.#harms.hasHeldFor(forSeconds)) {
      this.isOpen = true
      this.#openSinceMs = this.#harms.sinceMs
      this.#openMs = this.#harms.heldMs
    } else if (this.isOpen && harms === true) this.#openMs += stretch.toMs - stretch.fromMs
    if (this.isOpen && harms !== true) {
      if (!this.#clear.hasHeldFor(forSeconds)) return { finding: null, end: null }
      this.isOpen = false
      const because =
        holds === true ? 'the rest of the node has been idle since' : 'it is no longer so'
      return { finding: null, end: because }
    }
    if (this.isOpen)
      return {
        finding: this.#finding(this.#openSinceMs, this.#openMs, stretch, figures, null),
        end: null,
      }
    // Held for long enough, but never while others needed the room.
    if (holds !== true || suppressedBecause === null || !this.#held.hasHeldFor(forSeconds))
      return { finding: null, end: null }
    const { sinceMs, heldMs } = this.#held
    return {
      finding: this.#finding(sinceMs, heldMs, stretch, figures, suppressedBecause),
      end: null,
    }
  }

  #finding(
    sinceMs: number,
    heldMs: number,
    { toMs }: Stretch,
    figures: Figures,
    suppressedBecause: string | null,
  ): PolicyFinding {
    const { name, severity } = this.policy
    return {
      policy: name,
      severity,
      subject: this.subject,
      firstSeen: sinceMs / 1e3,
      lastSeen: toMs / 1e3,
      heldSeconds: heldMs / 1e3,
      text: findingText(this.policy, figures),
      suppressedBecause,
    }
  }
}
