import { UserError } from '../../service/user-error.ts'
import { Problem } from '../problem.ts'

/** Reads a file of the site. What is wrong with it is not the fault of whoever asks. */
export async function ownFile<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof UserError) throw new Problem(503, error.message)
    throw error
  }
}
