import { NotStarted } from '../../service/actions/start-program.ts'
import { Problem } from '../problem.ts'

/** Has something started. Why that fails is for the log: it names files of the server. */
export async function started<T>(start: () => T | Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof NotStarted)) throw error
    throw new Problem(503, 'This could not be started. The log says why.', {}, error.message)
  }
}
