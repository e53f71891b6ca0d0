import { count } from '../../model/count.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { checkSender } from '../../service/team/check-sender.ts'
import { keepJoined } from '../../service/team/team-config.ts'
import { localStatus } from '../../service/team/team-status.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { ledgerHere, telling, typedAddress } from './team-address.ts'

const definition = defineCommand({
  name: 'team join',
  aliases: [],
  summary: 'Joins a team: what this ledger holds, and will hold, is sent to it.',
  usage: 'team join ADDRESS [options]',
  description:
    'The address is kept in team.json in the configuration directory, for your eyes only. Rather than in the address, keep the password in ' +
    '~/.pgpass. Running workflows send by themselves from now on; jobmeter sync sends the rest.',
  arguments: [{ name: 'address', required: true, says: 'such as postgres://ada@db.lab/jobs' }],
  options: { ...globalOptions },
  examples: [
    'jobmeter team join postgres://ada@db.lab/jobs',
    'jobmeter team join postgres://node17@db.lab/jobs --db /var/lib/jobmeter/ledger.db',
  ],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const address = typedAddress(given.address)
  const ledger = ledgerHere(system, options.db)
  await telling(address, () => checkSender(address, system.host.user))
  keepJoined(system, process.env, ledger, address)
  const { address: shown, waiting } = localStatus(system, ledger, address)
  if (options.format === 'json')
    console.print(`${jsonText({ address: shown, ledger, waiting: waiting.records }, 2)}\n`)
  else
    console.print(
      `${ledger} has joined ${shown}.\n${
        waiting.records === 0
          ? 'Nothing waits to be sent'
          : `${count(waiting.records, 'record waits', 'records wait')} to be sent: jobmeter sync`
      }\n`,
    )
  return 0
})
