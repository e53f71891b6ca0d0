import type { NodeQuestions } from '../../node/node-questions.ts'
import type { NodeViewer } from '../../node/viewer.ts'
import { Database } from '../connection.ts'
import { readError } from '../read/read-error.ts'
import { refuseOtherVersion } from '../refuse-other-version.ts'
import { nodesOfTeam } from './team-nodes.ts'

/** Nobody waits longer for an answer, unless it is said how long. */
const usualSeconds = 300

/** What agents sent to a team, open for the questions of many. */
export interface OpenTeamNodes {
  askFor(viewer: NodeViewer | null): NodeQuestions
  close(): Promise<void>
}

/** Refuses a database that is not a team ledger of this build. Speaks StoreError only. */
export async function openTeamNodes(
  address: string,
  onProblem: (problem: string) => void,
  answerSeconds = usualSeconds,
): Promise<OpenTeamNodes> {
  const database = new Database({
    connectionString: address,
    // Questions are many and short: translating them into machine code would take longer than most answers.
    options: '-c search_path=jobmeter -c default_transaction_read_only=on -c jit=off',
    statement_timeout: answerSeconds * 1000,
    keepAlive: true,
  })
  try {
    await refuseOtherVersion(database, address)
  } catch (error) {
    await database.close()
    throw readError(error, address)
  }
  return {
    askFor: (viewer) => nodesOfTeam(database, viewer, address, onProblem),
    close: () => database.close(),
  }
}
