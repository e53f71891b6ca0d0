import { StoreError } from '../../store/errors.ts'
import type { Console } from './console.ts'
import { ExitError } from './exit-error.ts'
import { UserError } from '../../service/user-error.ts'

/** What can befall any command, wherever it is just then. */
const refusals: readonly {
  readonly means: (error: NodeJS.ErrnoException) => boolean
  readonly says: string
}[] = [
  {
    means: ({ syscall }) => syscall === 'uv_cwd',
    says: 'the working directory no longer exists; cd to one that does',
  },
  {
    means: ({ code }) => code === 'EMFILE' || code === 'ENFILE',
    says: 'too many files are open; ulimit -n shows the limit and can raise it',
  },
  {
    means: ({ code, syscall }) => syscall === 'write' && (code === 'ENOSPC' || code === 'EIO'),
    says: 'the output could not be written: there is no space left, or the disk is damaged',
  },
]

/** What the user can mend is said in a line; anything else is our fault, and says so. The answer is an exit code. */
export function report(error: unknown, console: Console): number {
  if (error instanceof UserError || error instanceof StoreError) {
    console.complain(error.message)
    return exitCodeOf(error)
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
      : `${message} (a bug in jobmeter; JOBMETER_DEBUG=1 shows where)`,
  )
  return 70
}

function exitCodeOf(error: UserError | StoreError): number {
  if (error instanceof ExitError) return error.exitCode
  return error instanceof UserError && error.kind === 'usage' ? 2 : 1
}
