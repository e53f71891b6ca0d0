import { readWordsBefore } from '../command/parse.ts'
import { isWorkflowFile } from '../run/which-run.ts'
import { runSpecDefinition } from '../run/run-spec-definition.ts'
import { submitDefinition } from './submit-definition.ts'
import { submitToolDefinition } from './submit-tool-definition.ts'

const known = {
  ...runSpecDefinition.options,
  ...submitDefinition.options,
  ...submitToolDefinition.options,
}

/** What stands after `--` is a command; else the first word names a file or a tool. */
export function loadSubmit(argv: readonly string[]) {
  const { word } = readWordsBefore(known, argv)
  if (word === undefined) return import('./submit.ts')
  return isWorkflowFile(word) ? import('./submit-spec.ts') : import('./submit-tool.ts')
}
