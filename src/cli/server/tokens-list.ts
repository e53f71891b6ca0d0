import { jsonText } from '../../render/text/json-text.ts'
import { tokenJson, tokenListText } from '../../render/tokens/tokens.ts'
import { listTokens } from '../../service/tokens/tokens.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption } from '../command/define.ts'
import { serverPlace } from '../ledger/ledger.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'

const definition = defineCommand({
  name: 'tokens list',
  aliases: [],
  summary: 'Lists the tokens of the server, newest first.',
  usage: 'tokens list [options]',
  arguments: [],
  options: { ...zoneOption, ...globalOptions },
  examples: ['jobmeter tokens list', 'jobmeter tokens list --format json'],
})

export const execute = commandAction(definition, async ({ options, console }) => {
  const system = realSystem({ ownsProcess: false })
  const ledger = await serverPlace(system, options.db)
  const problems: string[] = []
  const tokens = listTokens(system, ledger, (problem) => problems.push(problem))
  for (const problem of problems) console.complain(problem)
  // There are some, though none can be shown.
  if (tokens.length === 0 && problems.length > 0 && options.format !== 'json') return 1
  const now = system.clock.wallSeconds()
  console.print(
    options.format === 'json'
      ? `${jsonText(
          tokens.map((token) => tokenJson(token, now)),
          2,
        )}\n`
      : tokenListText(tokens, { now, style: console.style(1), zone: zoneAsked(options) }),
  )
  return problems.length === 0 ? 0 : 1
})
