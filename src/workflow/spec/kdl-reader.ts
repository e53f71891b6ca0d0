import {
  getLocation,
  InvalidKdlError,
  parse,
  type Document,
  type Entry,
  type Node,
} from '@bgotink/kdl'
import { parse as parseVersion1 } from '@bgotink/kdl/v1-compat'
import { specJsonSchema } from './json-schema.ts'
import { KdlMapper } from './kdl-mapper.ts'
import { deepestNesting, type Position, type ReadDocument, type ReadProblem } from './spec-node.ts'

/** KDL 2, or else KDL 1. */
export function readKdl(text: string): ReadDocument {
  const parsed = parseKdl(text)
  if (Array.isArray(parsed)) return { root: null, problems: parsed }
  if (depthOf(parsed) > deepestNesting) {
    const message = `nested more than ${deepestNesting} levels deep`
    return { root: null, problems: [{ at: { line: 1, column: 1 }, path: [], message }] }
  }
  const mapper = new KdlMapper(placeOf)
  const root = mapper.document(parsed.nodes, specJsonSchema())
  return { root, problems: mapper.problems }
}

/** Answers what is wrong with it where it is no KDL. */
export function parseKdl(text: string): Document | ReadProblem[] {
  try {
    return parse(text, { storeLocations: true })
  } catch (error) {
    try {
      return parseVersion1(text, { storeLocations: true })
    } catch {
      // People write KDL 2 today: what is wrong with it as KDL 2 is what they need to know.
      return syntaxProblems(error)
    }
  }
}

function syntaxProblems(error: unknown): ReadProblem[] {
  if (error instanceof RangeError) {
    return [{ at: { line: 1, column: 1 }, path: [], message: 'not valid KDL: nested too deeply' }]
  }
  if (!(error instanceof InvalidKdlError)) throw error
  return Array.from(error.flat(), ({ message, start }) => {
    if (message.startsWith('An unexpected error')) return unexpected(message)
    const plain = message.replace(/ at (\d+:\d+|end of input)$/, '')
    const words = plain.charAt(0).toLowerCase() + plain.slice(1)
    const at = { line: start?.line ?? 1, column: start?.column ?? 1 }
    return { at, path: [], message: `not valid KDL: ${words}` }
  })
}

/** The library speaks of itself here, and knows no place. */
function unexpected(message: string): ReadProblem {
  const why = message.includes('call stack') ? 'nested too deeply' : 'it cannot be parsed'
  return { at: { line: 1, column: 1 }, path: [], message: `not valid KDL: ${why}` }
}

function depthOf({ nodes }: Document): number {
  let depth = 0
  let level: readonly Node[] = nodes
  while (level.length > 0 && depth <= deepestNesting) {
    depth += 1
    level = level.flatMap(({ children }) => children?.nodes ?? [])
  }
  return depth
}

function placeOf(element: Node | Entry): Position {
  const start = getLocation(element)?.start
  return { line: start?.line ?? 1, column: start?.column ?? 1 }
}
