import { UserError } from '../../service/user-error.ts'

/** One that scripts are to tell from others by its exit code. */
export class ExitError extends UserError {
  readonly exitCode: number

  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}
