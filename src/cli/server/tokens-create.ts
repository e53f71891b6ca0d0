import { tokenRoles, tokenScopes } from '../../model/api-token.ts'
import { daySeconds } from '../../model/time-parts.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { tokenJson } from '../../render/tokens/tokens.ts'
import { createToken } from '../../service/tokens/tokens.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { serverPlace } from '../ledger/ledger.ts'

const definition = defineCommand({
  name: 'tokens create',
  aliases: [],
  summary: 'Makes a token for a program that uses the server, and prints it.',
  usage: 'tokens create NAME [options]',
  description:
    'The token is shown only now: only a hash of it is kept, in tokens.db beside the ledger. A program sends it as "Authorization: Bearer TOKEN".',
  arguments: [{ name: 'name', required: true, says: 'what the token is for, such as grafana' }],
  options: {
    scope: {
      type: 'list',
      commas: 'always',
      choices: tokenScopes,
      value: 'SCOPE',
      example: 'read,act',
      says: 'what it may do: read, act (submit, cancel, acknowledge) or metrics; read by default',
    },
    expires: {
      type: 'duration',
      value: 'TIME',
      default: 90 * daySeconds,
      min: 60,
      max: 3650 * daySeconds,
      needsUnit: true,
      example: '30d',
      says: 'how long it is valid',
    },
    user: {
      type: 'string',
      value: 'USER',
      example: 'ada',
      says: 'in whose name it is used; by default in yours',
    },
    role: {
      type: 'choice',
      choices: tokenRoles,
      default: 'user',
      says: "a user sees his own jobs, an administrator everybody's",
    },
    ...globalOptions,
  },
  examples: [
    'jobmeter tokens create notebook',
    'jobmeter tokens create ci --scope read,act --expires 30d',
    'jobmeter tokens create prometheus --scope metrics --role administrator --format json',
  ],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const ledger = await serverPlace(system, options.db)
  const { token, text } = createToken(system, ledger, {
    name: given.name,
    user: options.user ?? system.host.user,
    role: options.role,
    scopes: options.scope.length === 0 ? ['read'] : options.scope,
    lastsSeconds: options.expires,
  })
  if (options.format === 'json') {
    const json = { token: text, ...tokenJson(token, system.clock.wallSeconds()) }
    console.print(`${jsonText(json, 2)}\n`)
  } else {
    console.print(`${text}\n`)
    console.complain('keep this token: it is not shown again')
  }
  return 0
})
