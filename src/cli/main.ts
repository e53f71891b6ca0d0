import { programHelpText } from './command/help.ts'
import { parseProgram } from './command/program.ts'
import { commands, nestedCommands } from './commands.ts'
import type { WarmUp } from './run/warm-up.ts'
import { Console } from './terminal/console.ts'
import { report } from './terminal/report-error.ts'
import { version } from './version.ts'

const purpose =
  'jobmeter tells you what your jobs did with the machine: it runs a command, measures every process that belongs to it, and keeps a record of what happened.'

/** Runs one command and ends the process with its exit code. */
export async function main(argv: readonly string[], warmUp?: WarmUp): Promise<void> {
  const console = new Console()
  let exitCode: number
  try {
    exitCode = await dispatch(argv, console, warmUp)
  } catch (error) {
    exitCode = report(error, console)
  }
  // At once: nothing is left to do, and waiting for the event loop to notice costs milliseconds.
  process.exit(exitCode)
}

async function dispatch(
  argv: readonly string[],
  console: Console,
  warmUp: WarmUp | undefined,
): Promise<number> {
  const names = commands.flatMap(({ name, aliases }) => [name, ...aliases])
  const program = parseProgram(argv, names, 'jobmeter', nestedCommands)
  switch (program.kind) {
    case 'version':
      console.print(`${version}\n`)
      return 0
    case 'help':
      console.print(
        programHelpText(
          purpose,
          commands.filter(({ isHidden }) => isHidden !== true),
        ),
      )
      return 0
    case 'error':
      console.complain(program.message)
      return program.exitCode
    case 'command': {
      const entry = commands.find(
        ({ name, aliases }) => name === program.name || aliases.includes(program.name),
      )
      const command = await entry?.load(program.argv)
      return command?.execute(program.argv, console, warmUp, program.name) ?? 2
    }
  }
}
