import type { Statements } from '../connection.ts'
import { plainId } from './ids.ts'

/** What tells this queue from every other one, whatever address it is reached by. */
export async function queueId(statements: Statements): Promise<string> {
  const [row] = await statements.rows('SELECT id::text FROM queue_state')
  return plainId(String(row?.['id']))
}
