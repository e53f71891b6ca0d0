import { JsonScanner, JsonSyntaxError } from './json-scanner.ts'
import type { ReadDocument } from './spec-node.ts'
import { lineFinder } from './text-lines.ts'

/** JSON as RFC 8259 has it. */
export const readJson = (text: string): ReadDocument => read(text, 'json')

/** JSON5: comments, trailing commas, unquoted keys, single quotes, hexadecimal and signed numbers. */
export const readJson5 = (text: string): ReadDocument => read(text, 'json5')

function read(text: string, dialect: 'json' | 'json5'): ReadDocument {
  const place = lineFinder(text)
  const scanner = new JsonScanner(text, dialect, place)
  try {
    return { root: scanner.document(), problems: scanner.problems }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    const syntax = {
      at: place(error.offset),
      path: error.path,
      message: `not valid ${dialect === 'json' ? 'JSON' : 'JSON5'}: ${error.message}`,
    }
    return { root: null, problems: [...scanner.problems, syntax] }
  }
}
