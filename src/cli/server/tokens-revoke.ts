import { jsonText } from '../../render/text/json-text.ts'
import { tokenJson } from '../../render/tokens/tokens.ts'
import { revokeToken } from '../../service/tokens/tokens.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { serverPlace } from '../ledger/ledger.ts'

const definition = defineCommand({
  name: 'tokens revoke',
  aliases: [],
  summary: 'Ends a token. A server that is running refuses it from then on.',
  usage: 'tokens revoke TOKEN [options]',
  arguments: [
    { name: 'token', required: true, says: 'its id, or its name if no other token has that' },
  ],
  options: globalOptions,
  examples: ['jobmeter tokens revoke 3f8a21b2c4d5', 'jobmeter tokens revoke grafana'],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const ledger = await serverPlace(system, options.db)
  const token = revokeToken(system, ledger, given.token)
  console.print(
    options.format === 'json'
      ? `${jsonText(tokenJson(token, system.clock.wallSeconds()), 2)}\n`
      : `Token ${token.id} (${token.name}) is revoked.\n`,
  )
  return 0
})
