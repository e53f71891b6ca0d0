import { jsonText } from '../../render/text/json-text.ts'
import { joinedTeam, keepJoined } from '../../service/team/team-config.ts'
import { UserError } from '../../service/user-error.ts'
import { shownAddress } from '../../store/ledger/team-address.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { ledgerHere } from './team-address.ts'

const definition = defineCommand({
  name: 'team leave',
  aliases: [],
  summary: 'Leaves the team: nothing more is sent. What was sent stays there.',
  usage: 'team leave [options]',
  arguments: [],
  options: { ...globalOptions },
  examples: ['jobmeter team leave'],
})

export const execute = commandAction(definition, ({ options, console }) => {
  const system = realSystem({ ownsProcess: false })
  const ledger = ledgerHere(system, options.db)
  const address = joinedTeam(system, process.env, ledger)
  if (address === undefined) throw new UserError(`${ledger} has not joined a team`)
  keepJoined(system, process.env, ledger, undefined)
  const shown = shownAddress(address)
  console.print(
    options.format === 'json'
      ? `${jsonText({ address: shown, ledger }, 2)}\n`
      : `${ledger} has left ${shown}; what was sent stays there.\n`,
  )
  return 0
})
