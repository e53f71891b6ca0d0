import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe } from 'vitest'
import { nodeQuestionsContract } from '../../../../test/contracts/node-questions.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../../../../test/postgres.ts'
import { openNodeSending } from '../../node/sending/node-sending.ts'
import { Database } from '../connection.ts'
import { migrate } from '../migrate.ts'
import { enrolNode, NodeWriter } from './node-writer.ts'
import { nodesOfTeam } from './team-nodes.ts'

const newId = (): string => randomBytes(16).toString('hex')

/** Sends all that a file holds, as a node does. */
async function sendAll(database: Database, path: string): Promise<void> {
  const sending = openNodeSending(path)
  const databaseId = sending.begin(newId)
  const source = { databaseId, host: 'node0', path, version: 'test' }
  const writer = new NodeWriter(database, (await enrolNode(database, source))?.sourceId ?? 0)
  for (let next = sending.next(); next !== undefined; next = sending.next()) {
    await writer.send(next.batch, sending.unsent())
    sending.arrived(next)
  }
  await database.rows('SELECT fold_usage()')
  sending.close()
}

describe.skipIf(whyNoPostgres() !== undefined)('a team', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
  })
  afterAll(() => postgres.stop())

  nodeQuestionsContract('a team ledger', async (path) => {
    const administrator = new Database({ connectionString: await postgres.database('nodes') })
    await migrate(administrator)
    // What is made up is of another time.
    await administrator.run('UPDATE node_retention SET days = 20000')
    await administrator.run(`
      CREATE ROLE node0 LOGIN IN ROLE jobmeter_node;
      CREATE ROLE web LOGIN IN ROLE jobmeter_server`)
    await administrator.close()
    const as = (user: string) => new Database({ connectionString: postgres.address('nodes', user) })
    const sender = as('node0')
    await sendAll(sender, path)
    await sender.close()
    const server = as('web')
    return {
      ask: async (viewer) => nodesOfTeam(server, viewer, 'postgres://team'),
      dispose: () => server.close(),
    }
  })
})
