import type { Console } from '../terminal/console.ts'
import type { WarmUp } from '../run/warm-up.ts'
import type { ArgumentValues, CommandDefinition, OptionValues } from './define.ts'
import { helpText } from './help.ts'
import { parseCommand } from './parse.ts'

/** Joins a definition with what it does; the answer is the exit code. `typedAs` is its name or an alias of it. */
export function commandAction<D extends CommandDefinition>(
  definition: D,
  act: (input: {
    readonly options: OptionValues<D>
    readonly arguments: ArgumentValues<D>
    readonly console: Console
    readonly warmUp: WarmUp | undefined
  }) => Promise<number> | number,
): (
  argv: readonly string[],
  console: Console,
  warmUp?: WarmUp,
  typedAs?: string,
) => Promise<number> {
  return async (argv, console, warmUp, typedAs = definition.name) => {
    const parsed = parseCommand(definition, argv, typedAs)
    switch (parsed.kind) {
      case 'help':
        console.print(helpText(definition))
        return 0
      case 'error':
        console.complain(`${parsed.message}\nSee jobmeter ${typedAs} --help`)
        return parsed.exitCode
      case 'ok':
        return act({ options: parsed.options, arguments: parsed.arguments, console, warmUp })
    }
  }
}
