import type { HostExtent, Neighbours } from '../../model/observed.ts'
import { suggest } from '../../model/suggest.ts'

/** Why a question has no answer. */
export type WhyEmpty =
  | { readonly kind: 'never-looked' }
  | {
      readonly kind: 'unknown-name'
      readonly what: string
      readonly name: string
      readonly isPart: boolean
      readonly nearest: string | undefined
    }
  | { readonly kind: 'too-early'; readonly first: number }
  | { readonly kind: 'too-late'; readonly last: number }
  | { readonly kind: 'gap'; readonly from: number; readonly to: number }
  /** Who asks sees only what is theirs. */
  | { readonly kind: 'not-yours' }
  /** It was looked at, and there was nothing like it. */
  | { readonly kind: 'none' }

/** Names that were asked for, among those that were ever seen. */
export interface NamesAsked {
  /** Such as `user`. */
  readonly what: string
  readonly asked: readonly string[]
  /** Whether any part of a name will do, in capitals or not. */
  readonly isPart: boolean
  readonly known: readonly string[]
}

export interface EmptyQuestion {
  readonly from: number
  readonly to: number
  readonly extents: readonly HostExtent[]
  /** Whether any host was looked at in this time. */
  readonly wasLooked: boolean
  readonly neighbours: Neighbours
  readonly names: readonly NamesAsked[]
}

/** The first of these that holds is what somebody needs to know. */
export function whyEmpty(question: EmptyQuestion): WhyEmpty {
  const { from, to, extents, neighbours } = question
  if (extents.length === 0) return { kind: 'never-looked' }
  for (const { what, asked, isPart, known } of question.names) {
    const has = (one: string): boolean =>
      isPart
        ? known.some((name) => name.toLowerCase().includes(one.toLowerCase()))
        : known.includes(one)
    const name = asked.find((one) => !has(one))
    if (name !== undefined)
      return { kind: 'unknown-name', what, name, isPart, nearest: suggest(name, known) }
  }
  if (question.wasLooked) return { kind: 'none' }
  const first = Math.min(...extents.map((one) => one.first))
  const last = Math.max(...extents.map((one) => one.last))
  if (to <= first) return { kind: 'too-early', first }
  if (from >= last) return { kind: 'too-late', last }
  return { kind: 'gap', from: neighbours.before ?? from, to: neighbours.after ?? to }
}
