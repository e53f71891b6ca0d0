import { jsonNumber, jsonString } from '../spec/json-lexer.ts'
import { readJson, readJson5 } from '../spec/json-reader.ts'
import type { MapNode, Position, SpecNode } from '../spec/spec-node.ts'
import { indentBefore, lineEnd, type Span, type Splice } from './splice.ts'
import type { EditFormat, MappingFinder, NewEntry, WrittenMapping } from './written-mapping.ts'

export const jsonFormat: EditFormat = formatOf(false)
export const json5Format: EditFormat = formatOf(true)

function formatOf(json5: boolean): EditFormat {
  const read = json5 ? readJson5 : readJson
  return {
    quote: (text) => JSON.stringify(text),
    mappings(text): MappingFinder {
      const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
      const offset = ({ line, column }: Position): number => (starts[line - 1] ?? 0) + column - 1
      const maps = new Map<number, MapNode>()
      const { root } = read(text)
      if (root !== null) collect(root, (map) => maps.set(offset(map.at), map))
      return (at) => {
        const map = maps.get(offset(at))
        return map === undefined ? undefined : written({ text, json5, offset }, map)
      }
    },
  }
}

function collect(node: SpecNode, found: (map: MapNode) => void): void {
  if (node.kind === 'list') for (const item of node.items) collect(item, found)
  if (node.kind !== 'map') return
  found(node)
  for (const { value } of node.entries.values()) collect(value, found)
}

interface Source {
  readonly text: string
  readonly json5: boolean
  readonly offset: (at: Position) => number
}

interface Member {
  readonly keyFrom: number
  readonly span: Span
}

function written(source: Source, map: MapNode): WrittenMapping {
  const members = new Map<string, Member>()
  for (const [key, { keyAt, value }] of map.entries) {
    const from = source.offset(value.at)
    const to = scalarEnd(source, from)
    if (to !== undefined) members.set(key, { keyFrom: source.offset(keyAt), span: { from, to } })
  }
  const values = new Map([...members].map(([key, { span }]) => [key, span]))
  const last = [...members.values()].at(-1)
  return {
    values,
    insert: (entries) =>
      last === undefined
        ? [at(source.offset(map.at) + 1, entries.map((each) => entryText(each)).join(', '))]
        : insertAfter(source.text, last, entries),
  }
}

function scalarEnd({ text, json5 }: Source, from: number): number | undefined {
  if (text.startsWith('null', from)) return from + 'null'.length
  const lex = text[from] === '"' || text[from] === "'" ? jsonString : jsonNumber
  const lexed = lex(text, from, json5)
  return lexed.kind === 'ok' ? lexed.end : undefined
}

/** Written as its neighbour is: quotes of the key, blanks, and a line of its own where that has one. */
function insertAfter(text: string, last: Member, entries: readonly NewEntry[]): Splice[] {
  const neighbour = /^(["']?)[^"':\s]*\1(\s*:\s*)$/.exec(text.slice(last.keyFrom, last.span.from))
  const [, quote, colon] = neighbour ?? []
  const texts = entries.map((each) => entryText(each, quote, colon))
  const indent = indentBefore(text, last.keyFrom)
  const { end, eol } = lineEnd(text, last.span.to)
  const rest = text.slice(last.span.to, end)
  // Something else of the document follows on the line, such as the closing brace.
  if (indent === undefined || !/^\s*,?\s*(\/\/.*|\/\*.*\*\/\s*)?$/.test(rest))
    return [at(last.span.to, texts.map((each) => `, ${each}`).join(''))]
  const comma = /^\s*,/.test(rest) ? [] : [at(last.span.to, ',')]
  const lines = texts.map((each) => eol + indent + each).join(',')
  return [...comma, at(end, comma.length === 0 ? `${lines},` : lines)]
}

const entryText = ({ key, value }: NewEntry, quote = '"', colon = ': '): string =>
  `${quote}${key}${quote}${colon}${value}`

const at = (offset: number, text: string): Splice => ({ from: offset, to: offset, text })
