import { isAlias, isScalar, parseDocument, visit, type Pair, type YAMLMap } from 'yaml'
import type { Position } from '../spec/spec-node.ts'
import { lineFinder } from '../spec/text-lines.ts'
import { lineEnd, type Span, type Splice } from './splice.ts'
import type { EditFormat, MappingFinder, WrittenMapping } from './written-mapping.ts'

export const yamlFormat: EditFormat = { mappings, quote: (text) => text }

function mappings(text: string): MappingFinder {
  const place = lineFinder(text)
  const found = new Map<string, YAMLMap>()
  const options = { version: '1.2', schema: 'core', uniqueKeys: false } as const
  visit(parseDocument(text, options), {
    Map(_, map) {
      if (map.range) found.set(key(place(map.range[0])), map)
    },
  })
  return (at) => {
    const map = found.get(key(at))
    return map === undefined ? undefined : written(text, map)
  }
}

const key = ({ line, column }: Position): string => `${line}:${column}`

function written(text: string, map: YAMLMap): WrittenMapping {
  const values = new Map<string, Span>()
  for (const pair of map.items) {
    const span = spanOf(pair.value)
    if (isScalar(pair.key) && span !== undefined) values.set(String(pair.key.value), span)
  }
  return {
    values,
    insert(entries) {
      const lines = entries.map(({ key: name, value }) => `${name}: ${value}`)
      return map.flow === true ? insertFlow(map, lines) : insertBlock(text, map, lines)
    },
  }
}

/** An alias is a value of this mapping too: what it stands for belongs to others. */
function spanOf(value: unknown): Span | undefined {
  if (!isScalar(value) && !isAlias(value)) return undefined
  return value.range ? { from: value.range[0], to: value.range[1] } : undefined
}

function insertFlow(map: YAMLMap, entries: readonly string[]): Splice[] {
  const last = endOf(map.items.at(-1))
  const at = last ?? (map.range?.[0] ?? 0) + 1
  const text = entries.join(', ')
  return [{ from: at, to: at, text: last === undefined ? text : `, ${text}` }]
}

function insertBlock(text: string, map: YAMLMap, entries: readonly string[]): Splice[] {
  const start = map.range?.[0] ?? 0
  const indent = ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1))
  const { end, eol } = lineEnd(text, endOf(map.items.at(-1)) ?? start)
  return [{ from: end, to: end, text: entries.map((each) => eol + indent + each).join('') }]
}

function endOf(pair: Pair | undefined): number | undefined {
  const value: unknown = pair?.value
  return typeof value === 'object' &&
    value !== null &&
    'range' in value &&
    Array.isArray(value.range)
    ? Number(value.range[1])
    : undefined
}
