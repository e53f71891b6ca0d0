import type { Entry, Node } from '@bgotink/kdl'
import { allows, itemsOf, propertiesOf, type JsonSchema } from './json-schema.ts'
import { keyOfNode } from './kdl-names.ts'
import type { MapEntry, MapNode, Position, ReadProblem, SpecNode, SpecPath } from './spec-node.ts'
import { readJson } from './json-reader.ts'

/**
 * Turns KDL nodes into the document that the other formats have. The definition tells what a node is: one
 * item of a list, a list of texts, a mapping, or one value. Whatever fits nowhere is a problem, or is
 * passed on for the check to refuse: nothing is dropped.
 */
export class KdlMapper {
  readonly problems: ReadProblem[] = []
  readonly #placeOf: (element: Node | Entry) => Position

  constructor(placeOf: (element: Node | Entry) => Position) {
    this.#placeOf = placeOf
  }

  document(nodes: readonly Node[], schema: JsonSchema): MapNode {
    const entries = new Map<string, MapEntry>()
    for (const node of nodes) this.#enter(node, schema, entries, [])
    return { kind: 'map', at: { line: 1, column: 1 }, entries }
  }

  #enter(node: Node, schema: JsonSchema, entries: Map<string, MapEntry>, path: SpecPath): void {
    const known = propertiesOf(schema)
    const key = keyOfNode(node.getName(), known)
    const inside = known[key]
    const here = [...path, key]
    if (inside === undefined) return this.#add(entries, key, node, this.#any(node, here), path)
    const items = itemsOf(inside)
    if (isNull(node)) {
      // Nothing is added to a list.
      if (items !== undefined) return
      const value = { kind: 'scalar', at: this.#placeOf(node), value: null } as const
      return this.#add(entries, key, node, value, path)
    }
    if (items === undefined) {
      const value = isMapping(inside)
        ? this.#mapping(node, inside, here)
        : this.#plain(node, inside, here)
      return this.#add(entries, key, node, value, path)
    }
    const before = entries.get(key)
    const present = before?.value.kind === 'list' ? before.value.items : []
    const more = allows(items, 'object')
      ? this.#items(node, key, items, [...here, present.length])
      : this.#texts(node, here)
    const keyAt = before?.keyAt ?? this.#placeOf(node)
    const value: SpecNode = { kind: 'list', at: keyAt, items: [...present, ...more] }
    entries.set(key, { keyAt, value })
  }

  /** `job "a" { … }`, or `jobs { job "a" { … } }`. */
  #items(node: Node, key: string, schema: JsonSchema, path: SpecPath): SpecNode[] {
    const children = node.children?.nodes ?? []
    const siblings = { [key]: schema }
    const isGroup =
      node.entries.length === 0 &&
      children.length > 0 &&
      children.every((child) => isItem(child, key, siblings, propertiesOf(schema)))
    if (!isGroup) return [this.#object(node, schema, path)]
    return children.map((child) => this.#object(child, schema, path))
  }

  /** Its first argument is its name; properties and children are its keys. */
  #object(node: Node, schema: JsonSchema, path: SpecPath): MapNode {
    const entries = new Map<string, MapEntry>()
    const [name, ...others] = node.entries.filter((entry) => entry.isArgument())
    if (name !== undefined) {
      entries.set('name', { keyAt: this.#placeOf(name), value: this.#scalar(name, path) })
    }
    for (const other of others) this.#problem(other, path, 'only the name can be given here')
    for (const entry of node.entries.filter((each) => each.isProperty())) {
      const key = keyOfNode(entry.getName() ?? '', propertiesOf(schema))
      const value = this.#scalar(entry, [...path, key])
      const isList =
        itemsOf(propertiesOf(schema)[key] ?? {}) !== undefined && entry.getValue() !== null
      const wrapped: SpecNode = isList ? { kind: 'list', at: value.at, items: [value] } : value
      this.#add(entries, key, entry, wrapped, path)
    }
    for (const child of node.children?.nodes ?? []) this.#enter(child, schema, entries, path)
    return { kind: 'map', at: this.#placeOf(node), entries }
  }

  /** `depends_on "a" "b"`, or a child `- "a"` for each. */
  #texts(node: Node, path: SpecPath): SpecNode[] {
    const named = node.entries.find((entry) => entry.isProperty())
    if (named !== undefined) this.#problem(named, path, `${node.getName()} takes values, not names`)
    const children = node.children?.nodes ?? []
    const inside = children.flatMap((child) => {
      if (child.getName() === '-') return this.#texts(child, path)
      this.#problem(child, path, `expected "-", found ${JSON.stringify(child.getName())}`)
      return []
    })
    const values = node.entries.filter((entry) => entry.isArgument())
    if (values.length === 0 && children.length === 0) this.#problem(node, path, 'has no value')
    return [...values.map((entry) => this.#scalar(entry, path)), ...inside]
  }

  #mapping(node: Node, schema: JsonSchema, path: SpecPath): SpecNode {
    const isName = allows(schema, 'string') && node.entries.length === 1 && node.children === null
    const [only] = node.entries
    if (isName && only?.isArgument() === true) return this.#scalar(only, path)
    const isFree = Object.keys(propertiesOf(schema)).length === 0
    return isFree ? this.#freeMap(node, path) : this.#object(node, schema, path)
  }

  /** `parameters { i "1:10"; lr 0.1 0.2 }`, `env A="x"`: any keys. */
  #freeMap(node: Node, path: SpecPath): MapNode {
    const entries = new Map<string, MapEntry>()
    for (const entry of node.entries) {
      const key = entry.getName()
      if (key === null) this.#problem(entry, path, `write ${node.getName()} { NAME VALUE }`)
      else this.#add(entries, key, entry, this.#scalar(entry, [...path, key]), path)
    }
    for (const child of node.children?.nodes ?? []) {
      const key = child.getName()
      this.#add(entries, key, child, this.#any(child, [...path, key]), path)
    }
    return { kind: 'map', at: this.#placeOf(node), entries }
  }

  #plain(node: Node, schema: JsonSchema, path: SpecPath): SpecNode {
    const isAnything = schema.type === undefined && schema.anyOf === undefined
    if (isAnything || node.entries.length > 0 || node.children !== null)
      return this.#any(node, path)
    this.#problem(node, path, 'has no value')
    return { kind: 'scalar', at: this.#placeOf(node), value: null }
  }

  /** A value whose shape only the file knows: one argument, a list of them, or a mapping. */
  #any(node: Node, path: SpecPath): SpecNode {
    const values = node.entries.filter((entry) => entry.isArgument())
    const children = node.children?.nodes ?? []
    const isMap = node.entries.length > values.length || node.children !== null
    const at = this.#placeOf(node)
    if (!isMap) {
      const [only] = values
      if (values.length === 1 && only !== undefined) return this.#scalar(only, path)
      if (values.length === 0) return { kind: 'scalar', at, value: null }
      return { kind: 'list', at, items: values.map((entry) => this.#scalar(entry, path)) }
    }
    if (children.length > 0 && children.every((child) => child.getName() === '-')) {
      const items = children.map((child, index) => this.#any(child, [...path, index]))
      return {
        kind: 'list',
        at,
        items: [...values.map((entry) => this.#scalar(entry, path)), ...items],
      }
    }
    return this.#freeMap(node, path)
  }

  /** `(json)"[1, 2]"` is the JSON that it holds. */
  #scalar(entry: Entry, path: SpecPath): SpecNode {
    const at = this.#placeOf(entry)
    const value = entry.getValue()
    const tag = entry.getTag()
    if (tag === null) return { kind: 'scalar', at, value }
    if (tag !== 'json' || typeof value !== 'string') {
      this.#problem(
        entry,
        path,
        `the type (${tag}) has no meaning here; only (json) before a text has`,
      )
      return { kind: 'scalar', at, value }
    }
    const { root, problems } = readJson(value)
    for (const { message } of problems) this.problems.push({ at, path, message })
    return root === null ? { kind: 'scalar', at, value } : allAt(root, at)
  }

  #add(
    entries: Map<string, MapEntry>,
    key: string,
    element: Node | Entry,
    value: SpecNode,
    path: SpecPath,
  ): void {
    if (entries.has(key)) this.#problem(element, [...path, key], 'duplicate key')
    else if (key === '__proto__') this.#problem(element, path, 'this name cannot be a key')
    else entries.set(key, { keyAt: this.#placeOf(element), value })
  }

  #problem(element: Node | Entry, path: SpecPath, message: string): void {
    this.problems.push({ at: this.#placeOf(element), path, message })
  }
}

/** Lines of a text within a file are not lines of the file. */
function allAt(node: SpecNode, at: Position): SpecNode {
  if (node.kind === 'scalar') return { ...node, at }
  if (node.kind === 'list') return { ...node, at, items: node.items.map((each) => allAt(each, at)) }
  const entries = [...node.entries].map(
    ([key, { value }]) => [key, { keyAt: at, value: allAt(value, at) }] as const,
  )
  return { ...node, at, entries: new Map(entries) }
}

/** `memory #null`: as if it were not there. */
function isNull({ entries, children }: Node): boolean {
  const [only] = entries
  const isAlone = entries.length === 1 && children === null
  return isAlone && only?.isArgument() === true && only.getValue() === null
}

const isMapping = (schema: JsonSchema): boolean => allows(schema, 'object')

/** `-`, or the name of one such item, if no key of an item is called so. */
function isItem(
  child: Node,
  key: string,
  siblings: Readonly<Record<string, unknown>>,
  keysOfItem: Readonly<Record<string, unknown>>,
): boolean {
  const name = child.getName()
  if (name === '-') return true
  return !Object.hasOwn(keysOfItem, name) && keyOfNode(name, siblings) === key
}
