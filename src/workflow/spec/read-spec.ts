import { formatCount } from '../../model/count.ts'
import type { Workflow } from '../../model/workflow.ts'
import { checkSpec } from './checked-spec.ts'
import { readJson, readJson5 } from './json-reader.ts'
import { readKdl } from './kdl-reader.ts'
import { Problems, shownPath, type SpecError } from './problem.ts'
import type { ReadDocument, ReadProblem } from './spec-node.ts'
import { assemble } from './assemble.ts'
import { countItems, countMarks, mostItems, mostMarks } from './text-size.ts'
import { unusedKeys } from './unused-keys.ts'
import { readYaml } from './yaml-reader.ts'

/** A workflow, or all that is wrong with its file, in the order of the file. */
export type SpecResult =
  | {
      readonly kind: 'ok'
      readonly workflow: Workflow
      /** Keys that change nothing here, each with the reason. */
      readonly unused: readonly string[]
    }
  | { readonly kind: 'invalid'; readonly errors: readonly SpecError[] }

const readers: Readonly<Record<string, (text: string) => ReadDocument>> = {
  yaml: readYaml,
  yml: readYaml,
  json: readJson,
  json5: readJson5,
  kdl: readKdl,
}

const specExtensions: readonly string[] = Object.keys(readers)

/** Whether a file can be a workflow, by its name. */
export const isSpecName = (fileName: string): boolean => readerOf(fileName) !== undefined

function readerOf(fileName: string): (typeof readers)[string] | undefined {
  const extension = /\.([^./\\]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(readers, extension) ? readers[extension] : undefined
}

/** Reads a workflow file, whose format its extension tells. */
export function readSpec(text: string, fileName: string): SpecResult {
  const read = readerOf(fileName)
  if (read === undefined) {
    const endings = specExtensions.map((each) => `.${each}`).join(', ')
    return wholeFile(fileName, `the name of a workflow file must end in one of ${endings}`)
  }
  if (countMarks(text) > mostMarks) {
    const most = formatCount(mostMarks)
    const message = `the file has more than ${most} words and symbols; use parameters for what is repeated`
    return wholeFile(fileName, message)
  }
  if (countItems(text) > mostItems) {
    const most = formatCount(mostItems)
    const message = `the file has more than ${most} items, keys and lines; use parameters for what is repeated`
    return wholeFile(fileName, message)
  }
  const { root, problems } = read(text)
  if (root?.kind !== 'map') {
    if (problems.length > 0) return invalid(unreadable(fileName, problems))
    const isEmpty = root === null || (root.kind === 'scalar' && root.value === null)
    const found = isEmpty ? 'the file is empty' : 'the file is not a mapping'
    return wholeFile(fileName, `${found}; a workflow has at least "name" and "jobs"`)
  }
  const found = new Problems(fileName, root)
  for (const problem of problems) found.addRead(problem)
  const checked = checkSpec(root, found)
  const workflow = assemble(checked, found)
  if (found.count > 0) return invalid(found.sorted())
  return { kind: 'ok', workflow, unused: unusedKeys(checked) }
}

const invalid = (errors: readonly SpecError[]): SpecResult => ({ kind: 'invalid', errors })

const wholeFile = (file: string, message: string): SpecResult =>
  invalid(unreadable(file, [{ at: { line: 1, column: 1 }, path: [], message }]))

const unreadable = (file: string, problems: readonly ReadProblem[]): SpecError[] =>
  problems.map(({ at, path, message }) => ({
    file,
    ...at,
    path: shownPath(null, path),
    message,
    suggestion: null,
  }))
