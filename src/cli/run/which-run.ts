import type { OptionTable } from '../command/define.ts'
import { readWordsBefore } from '../command/parse.ts'
import { runDefinition } from './run-definition.ts'
import { runSpecDefinition } from './run-spec-definition.ts'

/** By its name. */
export const isWorkflowFile = (word: string): boolean => /\.(ya?ml|json5?|kdl)$/i.test(word)

/** An option that both have is the same for both, or takes a value in both. */
const known = (): OptionTable => ({ ...runSpecDefinition.options, ...runDefinition.options })

/** `run pipeline.yaml` and `run --resume 3` are about workflows; what stands after `--` is always a command. */
export function namesWorkflow(argv: readonly string[]): boolean {
  const { word, options } = readWordsBefore(known(), argv)
  return options.has('resume') || (word !== undefined && isWorkflowFile(word))
}
