import type { Console } from '../terminal/console.ts'
import { version } from '../version.ts'
import { programHelpText } from './help.ts'
import { parseProgram } from './program.ts'

/** A command under another one, such as `list` of `workflows list`; loaded only when it is asked for. */
export interface Subcommand {
  readonly name: string
  readonly summary: string
  load(): Promise<{
    readonly execute: (argv: readonly string[], console: Console) => Promise<number>
  }>
}

/** A command that only has commands of its own. */
export function commandGroup(
  name: string,
  summary: string,
  subcommands: readonly Subcommand[],
): (argv: readonly string[], console: Console) => Promise<number> {
  const program = `jobmeter ${name}`
  const names = subcommands.map((subcommand) => subcommand.name)
  return async (argv, console) => {
    const parsed = parseProgram(argv, names, program)
    switch (parsed.kind) {
      case 'version':
        console.print(`${version}\n`)
        return 0
      case 'help': {
        const commands = subcommands.map((subcommand) => ({ ...subcommand, aliases: [] }))
        console.print(programHelpText(summary, commands, program))
        return 0
      }
      case 'error':
        console.complain(`${name}: ${parsed.message}`)
        return parsed.exitCode
      case 'command': {
        const chosen = await subcommands.find((one) => one.name === parsed.name)?.load()
        return chosen?.execute(parsed.argv, console) ?? 2
      }
    }
  }
}
