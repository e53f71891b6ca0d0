/** Where something stands in a file; both count from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A document of any of the four formats, with the place of every key and value. */
export type SpecNode = ScalarNode | ListNode | MapNode

export interface ScalarNode {
  readonly kind: 'scalar'
  readonly at: Position
  readonly value: string | number | boolean | null
}

export interface ListNode {
  readonly kind: 'list'
  readonly at: Position
  readonly items: readonly SpecNode[]
}

export interface MapNode {
  readonly kind: 'map'
  readonly at: Position
  readonly entries: ReadonlyMap<string, MapEntry>
}

export interface MapEntry {
  readonly keyAt: Position
  readonly value: SpecNode
}

/** Keys and indices from the top of the document. */
export type SpecPath = readonly (string | number)[]

/** zod allows for symbols, which no document has. */
export const stepOf = (step: PropertyKey): string | number =>
  typeof step === 'number' ? step : String(step)

/** What a reader answers: null where the text is no document, and what is wrong with it. */
export interface ReadDocument {
  readonly root: SpecNode | null
  readonly problems: readonly ReadProblem[]
}

export interface ReadProblem {
  readonly at: Position
  readonly path: SpecPath
  readonly message: string
}

/** Deeper documents are attacks or accidents, and would exhaust the stack of whoever walks them. */
export const deepestNesting = 200

/** The value without its places, as `JSON.parse` would answer it. */
export function plainValue(node: SpecNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(plainValue)
  return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, plainValue(value)]))
}

/** The place of a value, or of the nearest thing around it that exists. */
export function placeOfValue(root: SpecNode, path: SpecPath): Position {
  return nearest(root, path).at
}

/** The place of a key (of the value, for an item of a list), or of the nearest thing around it. */
export function placeOfKey(root: SpecNode, path: SpecPath): Position {
  const last = path.at(-1)
  const holder = nearest(root, path.slice(0, -1))
  if (typeof last === 'string' && holder.kind === 'map') {
    return holder.entries.get(last)?.keyAt ?? holder.at
  }
  return placeOfValue(root, path)
}

function nearest(root: SpecNode, path: SpecPath): SpecNode {
  let node = root
  for (const step of path) {
    const inside = child(node, step)
    if (inside === undefined) return node
    node = inside
  }
  return node
}

function child(node: SpecNode, step: string | number): SpecNode | undefined {
  if (node.kind === 'map') return node.entries.get(String(step))?.value
  if (node.kind === 'list' && typeof step === 'number') return node.items[step]
  return undefined
}
