import { formatCount } from '../../model/count.ts'
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  type Document,
  type Pair,
  type YAMLMap,
} from 'yaml'
import {
  deepestNesting,
  type MapEntry,
  type Position,
  type ReadDocument,
  type ReadProblem,
  type ScalarNode,
  type SpecNode,
  type SpecPath,
} from './spec-node.ts'
import { lineFinder } from './text-lines.ts'

/** A few lines of aliases to aliases can stand for more values than there is memory. */
const mostValues = 2_000_000

/** YAML 1.2: `1:10` is text, not the base-60 number 70, and `no` is text, not false. */
export function readYaml(text: string): ReadDocument {
  const place = lineFinder(text)
  let document: Document
  try {
    // A schema named here also rules a file that starts with `%YAML 1.1`.
    const options = {
      version: '1.2',
      schema: 'core',
      prettyErrors: false,
      uniqueKeys: false,
    } as const
    document = parseDocument(text, options)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { root: null, problems: [tooDeep({ line: 1, column: 1 }, [])] }
  }
  const problems = [...document.errors, ...document.warnings].map(
    ({ message, pos }): ReadProblem => ({
      at: place(pos[0]),
      path: [],
      message: yamlMessage(message),
    }),
  )
  if (problems.length > 0 || document.contents === null) return { root: null, problems }
  const tree = new TreeBuilder(place)
  const root = tree.node(document.contents, [])
  // The rest of such a document may be more than there is memory for.
  return tree.isTooLarge
    ? { root: null, problems: tree.problems }
    : { root, problems: tree.problems }
}

/** The library speaks to programmers here. */
const yamlMessages: readonly (readonly [start: string, words: string])[] = [
  ['Source contains multiple', 'the file must hold one document, but a second one starts here'],
  ['Maximum call stack', 'nested too deeply'],
]

const yamlMessage = (message: string): string =>
  yamlMessages.find(([start]) => message.startsWith(start))?.[1] ??
  `not valid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`

const tooDeep = (at: Position, path: SpecPath): ReadProblem => ({
  at,
  path,
  message: `nested more than ${deepestNesting} levels deep`,
})

class TreeBuilder {
  readonly problems: ReadProblem[] = []
  readonly #place: (offset: number) => Position
  readonly #anchors = new Map<string, unknown>()
  /** What anchors stand for, with how many values that is. */
  readonly #built = new Map<unknown, { readonly node: SpecNode; readonly values: number }>()
  #values = 0
  #aliased = 0

  constructor(place: (offset: number) => Position) {
    this.#place = place
  }

  get isTooLarge(): boolean {
    return this.#aliased > mostValues
  }

  node(yaml: unknown, path: SpecPath): SpecNode {
    const at = this.#placeOf(yaml)
    if (path.length > deepestNesting) return this.#refuse(tooDeep(at, path))
    if (isAlias(yaml)) return this.#alias(yaml.source, at, path)
    const before = this.#values
    this.#values += 1
    const anchor = isNode(yaml) && 'anchor' in yaml ? yaml.anchor : undefined
    if (anchor !== undefined) this.#anchors.set(anchor, yaml)
    const node = this.#plainNode(yaml, at, path)
    if (anchor !== undefined) this.#built.set(yaml, { node, values: this.#values - before })
    return node
  }

  #plainNode(yaml: unknown, at: Position, path: SpecPath): SpecNode {
    if (isSeq(yaml)) {
      return { kind: 'list', at, items: yaml.items.map((item, i) => this.node(item, [...path, i])) }
    }
    if (isMap(yaml)) return { kind: 'map', at, entries: this.#entries(yaml, path) }
    return { kind: 'scalar', at, value: isScalar(yaml) ? scalar(yaml.value) : null }
  }

  /** The library would search the whole document for each alias. */
  #alias(name: string, at: Position, path: SpecPath): SpecNode {
    if (!this.#anchors.has(name)) {
      return this.#refuse({ at, path, message: `there is no anchor &${name} before it` })
    }
    const target = this.#built.get(this.#anchors.get(name))
    if (target === undefined) return this.#refuse({ at, path, message: `&${name} contains itself` })
    this.#values += target.values
    this.#aliased += target.values
    if (this.#aliased <= mostValues) return target.node
    const message = `the aliases stand for more than ${formatCount(mostValues)} values`
    return this.#refuse({ at, path, message })
  }

  #entries(map: YAMLMap, path: SpecPath): Map<string, MapEntry> {
    const entries = new Map<string, MapEntry>()
    const merged: Pair[] = []
    for (const pair of map.items) {
      if (isScalar(pair.key) && pair.key.value === '<<' && pair.key.type === 'PLAIN') {
        merged.push(pair)
        continue
      }
      const key = this.#key(pair.key, path)
      if (key === undefined) continue
      const value = this.node(pair.value, [...path, key])
      const keyAt = this.#placeOf(pair.key)
      if (entries.has(key)) {
        this.problems.push({ at: keyAt, path: [...path, key], message: 'duplicate key' })
      }
      // An empty value has no place of its own that people would find.
      entries.set(key, { keyAt, value: pair.value === null ? { ...value, at: keyAt } : value })
    }
    for (const pair of merged) this.#merge(this.node(pair.value, path), entries, path)
    return entries
  }

  /** What is merged gives way to what is written, and a later merge to an earlier one. */
  #merge(source: SpecNode, entries: Map<string, MapEntry>, path: SpecPath): void {
    const maps = source.kind === 'list' ? source.items : [source]
    for (const map of maps) {
      if (map.kind !== 'map') {
        this.problems.push({ at: map.at, path, message: '<< takes a mapping or a list of them' })
        continue
      }
      for (const [key, entry] of map.entries) if (!entries.has(key)) entries.set(key, entry)
    }
  }

  #key(key: unknown, path: SpecPath): string | undefined {
    const resolved = isAlias(key) ? this.#anchors.get(key.source) : key
    const value = isScalar(resolved) ? scalar(resolved.value) : null
    if (value !== null && value !== '__proto__') return String(value)
    this.problems.push({ at: this.#placeOf(key), path, message: 'a key must be text' })
    return undefined
  }

  #refuse(problem: ReadProblem): ScalarNode {
    this.problems.push(problem)
    return { kind: 'scalar', at: problem.at, value: null }
  }

  #placeOf(yaml: unknown): Position {
    const ranged = isScalar(yaml) || isMap(yaml) || isSeq(yaml) || isAlias(yaml)
    return this.#place(ranged ? (yaml.range?.[0] ?? 0) : 0)
  }
}

/** The core schema has no others. */
function scalar(value: unknown): ScalarNode['value'] {
  const isKnown =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isKnown ? value : null
}
