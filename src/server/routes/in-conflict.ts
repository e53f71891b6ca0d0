import { UserError } from '../../service/user-error.ts'
import { Problem } from '../problem.ts'

/** Does something to what is there; where it cannot be done as things stand, that is a conflict, and not something missing. */
export function inConflict<T>(act: () => T): T {
  try {
    const done = act()
    return (done instanceof Promise ? done.catch(refuse) : done) as T
  } catch (error) {
    return refuse(error)
  }
}

function refuse(error: unknown): never {
  if (error instanceof UserError && error.kind !== 'machine') throw new Problem(409, error.message)
  throw error
}
