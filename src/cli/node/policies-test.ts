import type { PastTable } from '../../model/past-round.ts'
import type { Policy } from '../../model/policy.ts'
import { hogsCsv } from '../../render/policies/hogs.ts'
import { triedJson, triedText } from '../../render/policies/tried.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { loadPolicies } from '../../service/policies/policy-file.ts'
import { tryPolicies } from '../../service/policies/try-policies.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption } from '../command/define.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'
import { policiesOption } from './agent-policies.ts'
import {
  filterOptions,
  nodeDatabaseOption,
  openWholeNode,
  tableFormatOption,
  timeOptions,
} from './node-options.ts'
import { policyNamed } from './policy-named.ts'
import { spanAsked } from './span-asked.ts'

const definition = defineCommand({
  name: 'policies test',
  aliases: [],
  summary: 'Tries a policy on what the agent has seen, before it is switched on.',
  usage: 'policies test [options] NAME|FILE',
  description:
    'Says what would have been reported, and what would not because the rest of the node was mostly idle. Nothing is kept, and nobody is told. Judges the last day without --from, by the finest rows that cover the time, and says which. The exit code is 0 whatever is found, and 2 if the policy file has errors.',
  arguments: [
    {
      name: 'policy',
      required: true,
      says: 'the name of a policy, switched on or not, or a policy file: all that it switches on',
    },
  ],
  options: {
    ...timeOptions,
    ...filterOptions,
    rows: {
      type: 'choice',
      choices: ['raw', '5m', 'hour'],
      says: 'by which rows, instead of the finest that cover the time',
    },
    ...policiesOption,
    ...zoneOption,
    ...globalOptions,
    ...tableFormatOption,
    ...nodeDatabaseOption,
  },
  examples: [
    'jobmeter policies test cpuhog --from 7d',
    'jobmeter policies test new-policies.yaml --from "last monday" --format json',
  ],
})

const usualDays = 1
const tables: Readonly<Record<'raw' | '5m' | 'hour', PastTable>> = {
  raw: 'single rounds',
  '5m': 'five minutes',
  hour: 'hours',
}

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const policies = await policiesAsked(system, given.policy, options.policies)
  const now = system.clock.wallSeconds()
  const { from, to } = spanAsked(options, now, usualDays)
  const reader = openWholeNode(system, options.db)
  const tried = tryPolicies(reader, policies, {
    from,
    to: Math.min(now, to),
    hosts: options.host,
    ...(options.rows === undefined ? {} : { table: tables[options.rows] }),
  })
  reader.close()
  const { user } = options
  const found = tried.violations.filter(
    ({ subject }) => user.length === 0 || user.includes(subject.user),
  )
  const notJudged = tried.hosts.flatMap(({ host, unmeasured }) =>
    [...unmeasured].map(([policy, why]) => ({ host, policy, why })),
  )
  const { hosts } = tried
  if (options.format === 'json')
    console.print(`${jsonText(triedJson(hosts, found, notJudged), 2)}\n`)
  else if (options.format === 'csv') console.print(hogsCsv(found))
  else console.print(triedText(hosts, found, notJudged, zoneAsked(options)))
  return 0
})

/** What looks like the name of a file is one: names of policies have no slash and no ending. */
async function policiesAsked(
  system: System,
  asked: string,
  named: string | undefined,
): Promise<readonly Policy[]> {
  const isFile = /[/]|\.(ya?ml|json)$/i.test(asked)
  const { policies } = await loadPolicies(system, isFile ? asked : named)
  return isFile ? policies.filter(({ isEnabled }) => isEnabled) : [policyNamed(policies, asked)]
}
