import { NoAgent } from '../../service/agent-questions.ts'
import { UserError } from '../../service/user-error.ts'
import { StoreError, type StoreErrorCode } from '../../store/errors.ts'

/** An error as data: between threads, what it is an instance of is lost. */
export type ToldError =
  | { readonly is: 'no agent'; readonly message: string }
  | { readonly is: 'user'; readonly message: string; readonly kind: UserError['kind'] }
  | {
      readonly is: 'store'
      readonly message: string
      readonly code: StoreErrorCode
      readonly path: string
    }
  | { readonly is: 'fault'; readonly message: string; readonly stack: string }

/** What a clerk answers. */
export type Told = { readonly ok: unknown } | { readonly error: ToldError }

export function tellError(error: unknown): ToldError {
  if (error instanceof NoAgent) return { is: 'no agent', message: error.message }
  if (error instanceof UserError) return { is: 'user', message: error.message, kind: error.kind }
  if (error instanceof StoreError) {
    const { code, path, message } = error
    return { is: 'store', code, path, message: message.slice(path.length + 2) }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { is: 'fault', message, stack: (error instanceof Error && error.stack) || message }
}

export function asError(told: ToldError): Error {
  if (told.is === 'no agent') return new NoAgent(told.message)
  if (told.is === 'user') return new UserError(told.message, told.kind)
  if (told.is === 'store') return new StoreError(told.code, told.path, told.message)
  return Object.assign(new Error(told.message), { stack: told.stack })
}
