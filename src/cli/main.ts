import { StoreError } from '../store/errors.ts'
import { programHelpText } from './command/help.ts'
import { parseProgram } from './command/program.ts'
import { commands } from './commands.ts'
import type { WarmUp } from './warm-up.ts'
import { Console } from './console.ts'
import { UserError } from './user-error.ts'
import { version } from './version.ts'

const purpose =
  'jobmeter tells you what your jobs did with the machine: it runs a command, measures every process that belongs to it, keeps the record and answers what happened.'

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
  const program = parseProgram(argv, names)
  switch (program.kind) {
    case 'version':
      console.print(`${version}\n`)
      return 0
    case 'help':
      console.print(programHelpText(purpose, commands))
      return 0
    case 'error':
      console.complain(program.message)
      return program.exitCode
    case 'command': {
      const entry = commands.find(
        ({ name, aliases }) => name === program.name || aliases.includes(program.name),
      )
      const command = await entry?.load(program.argv)
      return command?.execute(program.argv, console, warmUp) ?? 2
    }
  }
}

/** What can befall any command, wherever it is just then. */
const refusals: readonly {
  readonly means: (error: NodeJS.ErrnoException) => boolean
  readonly says: string
}[] = [
  {
    means: ({ syscall }) => syscall === 'uv_cwd',
    says: 'the working directory is not there any more; cd to one that is',
  },
  {
    means: ({ code }) => code === 'EMFILE' || code === 'ENFILE',
    says: 'too many files are open; ulimit -n shows how many may be, and raises that',
  },
]

/** What the user can mend is said in a line; anything else is our fault, and says so. */
function report(error: unknown, console: Console): number {
  if (error instanceof UserError || error instanceof StoreError) {
    console.complain(error.message)
    return error instanceof UserError ? error.exitCode : 1
  }
  const refusal = refusals.find((one) => one.means(error as NodeJS.ErrnoException))
  if (refusal !== undefined) {
    console.complain(refusal.says)
    return 1
  }
  const message = error instanceof Error ? error.message : String(error)
  console.complain(
    process.env['JOBMETER_DEBUG'] && error instanceof Error && error.stack !== undefined
      ? error.stack
      : `${message} (a fault of jobmeter; JOBMETER_DEBUG=1 shows where)`,
  )
  return 70
}
