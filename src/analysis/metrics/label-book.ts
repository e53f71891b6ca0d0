import type { JobLabels } from '../../model/metric-facts.ts'

/** How many values a label may have, and how many pairs of a user and a name there may be, each without `other`. */
export interface LabelLimits {
  readonly names: number
  readonly users: number
  readonly pairs: number
}

export const usualLabelLimits: LabelLimits = { names: 100, users: 200, pairs: 1_000 }

const otherLabel = 'other'

/**
 * Decides which users and names of jobs have labels of their own. First come, first served, so whoever asks begins with the
 * biggest. A label that was given is never taken back: its counters would go down, which means "started anew".
 */
export class LabelBook {
  readonly #limits: LabelLimits
  readonly #names = new Set<string>()
  readonly #users = new Set<string>()
  readonly #pairs = new Set<string>()

  constructor(limits: LabelLimits) {
    this.#limits = limits
  }

  labelsOf({ user, name }: JobLabels): JobLabels {
    const asked = {
      user: held(this.#users, labelText(user), this.#limits.users),
      name: held(this.#names, labelText(name), this.#limits.names),
    }
    if (asked.name === otherLabel) return asked
    const key = keyOf(asked)
    // A pair too many is one of the other jobs of its user.
    return held(this.#pairs, key, this.#limits.pairs) === key
      ? asked
      : { user: asked.user, name: otherLabel }
  }
}

function held(given: Set<string>, wanted: string, most: number): string {
  if (given.has(wanted)) return wanted
  if (given.size >= most || wanted === otherLabel) return otherLabel
  given.add(wanted)
  return wanted
}

/** Neither a user nor a name has a line feed once it is a label. */
export const keyOf = ({ user, name }: JobLabels): string => `${user}\n${name}`

const longestLabel = 100
const plain = /^[!-~](?:[ -~]{0,98}[!-~])?$/
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** A name as a label: printable, not too long, and never empty, which would be no label at all. */
export function labelText(text: string): string {
  // Nearly every name.
  if (plain.test(text)) return text
  const clean = text.replace(unprintable, '\u{fffd}').trim()
  // Half of a character may be left at the end.
  const cut = clean.slice(0, longestLabel).toWellFormed()
  return cut === '' ? 'unnamed' : cut
}
