import {
  wayToKeep,
  type EndedViolation,
  type PolicyFinding,
  type Violation,
} from '../../model/violation.ts'
import { subjectKey } from './judge.ts'

/** Groups what many rounds found into violations, as the database of a node does. */
export class ViolationList {
  readonly #found: Violation[] = []
  readonly #last = new Map<string, number>()

  add(findings: readonly PolicyFinding[], ended: readonly EndedViolation[], at: number): void {
    for (const finding of findings) this.#keep(finding)
    for (const { policy, subject, because } of ended) {
      const index = this.#last.get(keyOf(policy, subject))
      const known = index === undefined ? undefined : this.#found[index]
      if (index !== undefined && known?.suppressedBecause === null)
        this.#found[index] = { ...known, resolvedAt: at, resolvedBecause: because }
    }
  }

  /** What was seen last first. */
  get violations(): Violation[] {
    return this.#found.toSorted((one, other) => other.lastSeen - one.lastSeen || one.id - other.id)
  }

  #keep(finding: PolicyFinding): void {
    const key = keyOf(finding.policy, finding.subject)
    const index = this.#last.get(key)
    const known = index === undefined ? undefined : this.#found[index]
    const way = wayToKeep(known, finding)
    if (way === 'nothing new') return
    const open = { reportedAt: null, resolvedAt: null, resolvedBecause: null }
    if (index === undefined || known === undefined || way === 'new') {
      this.#last.set(key, this.#found.length)
      this.#found.push({ ...finding, ...open, id: this.#found.length + 1 })
    } else if (way === 'harms from now on')
      this.#found[index] = { ...finding, ...open, id: known.id }
    else
      this.#found[index] = {
        ...finding,
        ...open,
        id: known.id,
        firstSeen: Math.min(known.firstSeen, finding.firstSeen),
        heldSeconds: Math.max(known.heldSeconds, finding.heldSeconds),
      }
  }
}

const keyOf = (policy: string, subject: PolicyFinding['subject']): string =>
  `${policy}\0${subject.host}\0${subjectKey(subject)}`
