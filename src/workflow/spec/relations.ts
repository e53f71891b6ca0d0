import type { JobSpec } from './definition.ts'
import type { Expanded, Source } from './expand.ts'
import { isIndices, noIndices, type Indices, type NameIndex, type Unions } from './name-index.ts'
import { suggestionFor, type Problems } from './problem.ts'
import type { SpecPath } from './spec-node.ts'
import { namesInBraces } from './template.ts'
import type { UnknownNames } from './unknown-names.ts'

/** Each relation by name, with its twin by pattern. */
const twins = {
  depends_on: 'depends_on_regexes',
  blocked_by: 'blocked_by_regexes',
  input_files: 'input_file_regexes',
  output_files: 'output_file_regexes',
  input_user_data: 'input_user_data_regexes',
  output_user_data: 'output_user_data_regexes',
} as const

export type RelationKey = keyof typeof twins
export const twinOf = (key: RelationKey): (typeof twins)[RelationKey] => twins[key]

export interface Related {
  readonly named: Indices
  readonly matched: Indices
}

/** What jobs name, of one kind of thing. */
export class Relations {
  readonly index: NameIndex
  readonly #kind: string
  readonly #unions: Unions
  readonly #missing: MissingNames
  readonly #constant = new Map<Source<JobSpec>, Map<RelationKey, Related>>()

  constructor(kind: string, index: NameIndex, unions: Unions, missing: MissingNames) {
    this.#kind = kind
    this.index = index
    this.#unions = unions
    this.#missing = missing
  }

  of(job: Expanded<JobSpec>, key: RelationKey): Related {
    const { spec } = job.source
    const names = asList(spec[key])
    const patterns = asList(spec[twins[key]])
    const isConstant = [...names, ...patterns].every((text) => job.source.isConstant(text))
    const known = isConstant ? this.#constant.get(job.source)?.get(key) : undefined
    if (known !== undefined) return known
    const related = {
      named: this.#unions.join(names.map((text, at) => this.#named(job, text, [key, at]))),
      matched: this.#unions.join(
        patterns.map((text, at) => this.#matched(job, text, [twins[key], at])),
      ),
    }
    if (isConstant) this.#remember(job.source, key, related)
    return related
  }

  /** By its name as it stands in a command. */
  single(job: Expanded<JobSpec>, name: string, at: SpecPath): Indices {
    const found = this.index.find(name)
    if (found !== undefined) return this.#unions.single(found)
    const message = `no ${this.#kind} is named ${JSON.stringify(name)}`
    this.#missing.add([...job.source.path, ...at], { name }, message, this.index)
    return noIndices
  }

  /** What a job names that cannot be expanded: all of it that is the same for whatever it would expand to. */
  checkConstant(job: Expanded<JobSpec>, key: RelationKey): void {
    const isPlain = (text: string): boolean => namesInBraces(text).length === 0
    asList(job.source.spec[key]).forEach((text, at) => {
      if (isPlain(text)) this.#named(job, text, [key, at])
    })
    asList(job.source.spec[twins[key]]).forEach((text, at) => {
      if (isPlain(text)) this.#matched(job, text, [twins[key], at])
    })
  }

  #named(job: Expanded<JobSpec>, text: string, at: SpecPath): Indices {
    return this.single(job, job.source.fill(text, job.values, at), at)
  }

  #matched(job: Expanded<JobSpec>, text: string, at: SpecPath): Indices {
    const pattern = job.source.fill(text, job.values, at, escapePattern)
    const found = this.index.matching(pattern)
    if (!isIndices(found)) {
      this.#missing.add([...job.source.path, ...at], 'fault', found.fault, this.index)
      return noIndices
    }
    if (found.length === 0) {
      const message = `no ${this.#kind} matches ${JSON.stringify(pattern)}`
      this.#missing.add([...job.source.path, ...at], { pattern }, message, this.index)
    }
    return found
  }

  #remember(source: Source<JobSpec>, key: RelationKey, related: Related): void {
    const known = this.#constant.get(source)
    if (known === undefined) this.#constant.set(source, new Map([[key, related]]))
    else known.set(key, related)
  }
}

/** Values are put into a pattern as they are: the dot of 0.1 must not match any letter. */
const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

const asList = (value: string | readonly string[] | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : (value ?? [])

type Sought = { readonly name: string } | { readonly pattern: string } | 'fault'

interface Missing {
  readonly path: SpecPath
  readonly sought: Sought
  readonly message: string
  readonly suggestion: string | null
  count: number
}

/** Guessing what was meant must not take longer than everything else. */
const mostCompared = 1_000_000

/** One entry of a file may expand to thousands of names that do not exist: that is one mistake. */
export class MissingNames {
  readonly #found = new Map<string, Missing>()

  add(path: SpecPath, sought: Sought, message: string, index: NameIndex): void {
    const key = path.join('\n')
    const known = this.#found.get(key)
    if (known !== undefined) {
      known.count += 1
      return
    }
    const isCheap = (this.#found.size + 1) * index.names.length < mostCompared
    const isName = sought !== 'fault' && 'name' in sought
    const suggestion = isName && isCheap ? suggestionFor(sought.name, index.names) : null
    this.#found.set(key, { path, sought, message, suggestion, count: 1 })
  }

  /** But for what may be there. */
  report(unknown: UnknownNames, problems: Problems): void {
    for (const { path, sought, message, suggestion, count } of this.#found.values()) {
      if (mayBeThere(sought, unknown)) continue
      const more = count > 1 ? ` (and ${count - 1} more like it that this expands to)` : ''
      problems.atValue(path, message + more, suggestion)
    }
  }
}

function mayBeThere(sought: Sought, unknown: UnknownNames): boolean {
  if (sought === 'fault') return false
  return 'name' in sought ? unknown.mayHold(sought.name) : unknown.mayMatch(sought.pattern)
}
