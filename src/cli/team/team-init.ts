import { jsonText } from '../../render/text/json-text.ts'
import { connectTo } from '../../service/team/open-team.ts'
import { migrate, roles, steps, type MigratedFrom } from '../../store/postgres/migrate.ts'
import { neededBossVersion, otherBoss } from '../../store/postgres/queue/boss-version.ts'
import { refuseOtherVersion } from '../../store/postgres/refuse-other-version.ts'
import { shownAddress } from '../../store/ledger/team-address.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { telling, typedAddress } from './team-address.ts'

const definition = defineCommand({
  name: 'team init',
  aliases: [],
  summary: 'Makes the team ledger in a PostgreSQL database, or brings it up to date.',
  usage: 'team init ADDRESS [options]',
  description:
    'For an administrator of the database, who may make roles and schemas. All of it is in the schema jobmeter. ' +
    'The password comes from PGPASSWORD or ~/.pgpass, or stands in the address.',
  arguments: [{ name: 'address', required: true, says: 'such as postgres://postgres@db.lab/jobs' }],
  options: { ...globalOptions },
  examples: [
    'jobmeter team init postgres://postgres@db.lab/jobs',
    'PGPASSWORD=… jobmeter team init postgres://admin@db.lab:5433/jobs',
  ],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const address = typedAddress(given.address)
  const before = await telling(address, async () => {
    const database = connectTo(address)
    try {
      const migrated = await migrate(database)
      // A newer jobmeter has been there.
      await refuseOtherVersion(database, address)
      const other = await otherBoss(database, address)
      if (other !== undefined) throw other
      return migrated
    } finally {
      await database.close()
    }
  })
  const shown = shownAddress(address)
  if (options.format === 'json') console.print(`${jsonText(migratedJson(shown, before), 2)}\n`)
  else console.print(before.ledger === 0 ? nextSteps(shown) : upgraded(shown, before))
  return 0
})

const migratedJson = (address: string, { ledger, boss }: MigratedFrom) => ({
  address,
  before: ledger,
  version: steps.length,
  queue_before: boss,
  queue_version: neededBossVersion(),
  roles,
})

function upgraded(address: string, { ledger, boss }: MigratedFrom): string {
  const bossNow = neededBossVersion()
  const changes = [
    ...(ledger === steps.length
      ? []
      : [`The team ledger in ${address} went from version ${ledger} to ${steps.length}.\n`]),
    ...(boss === bossNow || boss === 0
      ? []
      : [`The tables of its queue went from version ${boss} of pg-boss to ${bossNow}.\n`]),
  ]
  return changes.length === 0
    ? `The team ledger in ${address} is up to date (version ${ledger}).\n`
    : changes.join('')
}

const nextSteps = (address: string): string => `\
The team ledger is ready in ${address} (version ${steps.length}).

Next, in psql, a role for each person or machine (the name of a person's role is the user name):
  CREATE ROLE ada LOGIN PASSWORD '…' IN ROLE jobmeter_writer, jobmeter_reader;
  CREATE ROLE node17 LOGIN PASSWORD '…' IN ROLE jobmeter_node;
  CREATE ROLE node18 LOGIN PASSWORD '…' IN ROLE jobmeter_node, jobmeter_worker;  -- runs jobs of the queue
  CREATE ROLE dashboard LOGIN PASSWORD '…' IN ROLE jobmeter_server;
Somebody who may see the jobs of others, too:
  INSERT INTO jobmeter.viewer (role, "user") VALUES ('ada', 'bob');

Then each of them, once:
  jobmeter team join postgres://ada@HOST/DATABASE
How long it keeps what:
  jobmeter team retention --records 24 --samples 6 ${address}
`
