import * as z from 'zod'
import { ShapeReport } from './check-shape.ts'
import { readJson } from './json-reader.ts'
import type { JsonSchema } from './json-schema.ts'
import { presentValue } from './present-value.ts'
import { Problems, shownPath, type SpecError } from './problem.ts'
import { readYaml } from './yaml-reader.ts'

/** A file with settings, or all that is wrong with it, in the order of the file. */
export type Checked<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'invalid'; readonly errors: readonly SpecError[] }

/**
 * Reads a file of settings: JSON where its name says so, else YAML. `expected` says what should be in it; `make` turns
 * what has the right shape into what is wanted, and may find further problems.
 */
export function readChecked<D extends z.ZodType, T>(
  text: string,
  fileName: string,
  definition: D,
  { expected, make }: { expected: string; make: (value: z.infer<D>, problems: Problems) => T },
): Checked<T> {
  const { root, problems } = /\.json$/i.test(fileName) ? readJson(text) : readYaml(text)
  if (root?.kind !== 'map') {
    const message = `expected a mapping (key: value pairs) with ${expected}`
    const found =
      problems.length > 0 ? problems : [{ at: { line: 1, column: 1 }, path: [], message }]
    const errors = found.map(({ at, path, message: what }) => ({
      file: fileName,
      ...at,
      path: shownPath(null, path),
      message: what,
      suggestion: null,
    }))
    return { kind: 'invalid', errors }
  }
  const found = new Problems(fileName, root)
  for (const problem of problems) found.addRead(problem)
  const makeSchema = (): JsonSchema => z.toJSONSchema(definition)
  const document = presentValue(root, makeSchema)
  const parsed = definition.safeParse(document)
  if (!parsed.success) {
    new ShapeReport(found, document, makeSchema).report(parsed.error.issues)
    return { kind: 'invalid', errors: found.sorted() }
  }
  const value = make(parsed.data, found)
  return found.count === 0 ? { kind: 'ok', value } : { kind: 'invalid', errors: found.sorted() }
}
