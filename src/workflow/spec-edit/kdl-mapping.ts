import { getLocation, type Entry, type Node } from '@bgotink/kdl'
import { parseKdl } from '../spec/kdl-reader.ts'
import { indentBefore, lineEnd, type Span, type Splice } from './splice.ts'
import type { EditFormat, MappingFinder, NewEntry, WrittenMapping } from './written-mapping.ts'

export const kdlFormat: EditFormat = { mappings, quote: (text) => JSON.stringify(text) }

function mappings(text: string): MappingFinder {
  const found = new Map<string, Node>()
  const document = parseKdl(text)
  if (!Array.isArray(document)) collect(document.nodes, found)
  return ({ line, column }) => {
    const node = found.get(`${line}:${column}`)
    return node === undefined ? undefined : written(text, node)
  }
}

function collect(nodes: readonly Node[], found: Map<string, Node>): void {
  for (const node of nodes) {
    const start = getLocation(node)?.start
    if (start !== undefined) found.set(`${start.line}:${start.column}`, node)
    collect(node.children?.nodes ?? [], found)
  }
}

/** `requirements "a" cpus=4 { memory "8g" }`: its properties and its children. */
function written(text: string, node: Node): WrittenMapping {
  const values = new Map<string, Span>()
  const keep = (key: string | null, entry: Entry | undefined): void => {
    const span = entry === undefined ? undefined : spanOf(entry.value)
    if (key !== null && span !== undefined) values.set(key, span)
  }
  for (const entry of node.entries) if (entry.isProperty()) keep(entry.getName(), entry)
  const children = node.children?.nodes ?? []
  for (const child of children) keep(child.getName(), child.entries[0])
  return {
    values,
    insert(entries) {
      const child = children.at(-1)
      return child === undefined
        ? insertProperties(text, node, entries)
        : insertChildren(text, child, entries)
    },
  }
}

function spanOf(element: Parameters<typeof getLocation>[0]): Span | undefined {
  const location = getLocation(element)
  return location === undefined
    ? undefined
    : { from: location.start.offset, to: location.end.offset }
}

function insertChildren(text: string, child: Node, entries: readonly NewEntry[]): Splice[] {
  const span = spanOf(child)
  if (span === undefined) return []
  const to = span.from + text.slice(span.from, span.to).trimEnd().length
  const indent = indentBefore(text, span.from)
  const { end, eol } = lineEnd(text, to)
  const nodes = entries.map(({ key, value }) => `${key} ${value}`)
  // Not where something else follows on the line, such as the closing brace.
  return indent !== undefined && /^\s*;?\s*(\/\/.*)?$/.test(text.slice(to, end))
    ? [{ from: end, to: end, text: nodes.map((each) => eol + indent + each).join('') }]
    : [{ from: to, to, text: nodes.map((each) => `; ${each}`).join('') }]
}

function insertProperties(text: string, node: Node, entries: readonly NewEntry[]): Splice[] {
  const last = node.entries.at(-1)
  const span = last === undefined ? undefined : spanOf(last)
  const start = spanOf(node)?.from ?? 0
  const to =
    span === undefined
      ? start + (/^\S+/.exec(text.slice(start))?.[0].length ?? 0)
      : span.from + text.slice(span.from, span.to).trimEnd().length
  return [{ from: to, to, text: entries.map(({ key, value }) => ` ${key}=${value}`).join('') }]
}
