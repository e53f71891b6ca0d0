import { hogsCsv, hogsJson, hogsText } from '../../render/policies/hogs.ts'
import { jsonText } from '../../render/text/json-text.ts'
import type { Violation } from '../../model/violation.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption } from '../command/define.ts'
import { findHogs } from '../../service/nodes/find-hogs.ts'
import { loadPolicies } from '../../service/policies/policy-file.ts'
import { policiesOption } from './agent-policies.ts'
import { policyNamed } from './policy-named.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'
import {
  filterOptions,
  nodeDatabaseOption,
  openNode,
  tableFormatOption,
  timeOptions,
} from './node-options.ts'
import { spanAsked } from './span-asked.ts'

const definition = defineCommand({
  name: 'hogs',
  aliases: [],
  summary: 'Lists who broke a policy: jobs and users that were not fair to others on a node.',
  usage: 'hogs [options]',
  description:
    'What the agent found by its policies, of the last 7 days without --from. What breaks a policy while the rest of the node is mostly idle harms nobody: it is never reported, and listed only with --all. The exit code is 0 whether or not anybody is listed; with --fail it is 1 if a violation is.',
  arguments: [],
  options: {
    policy: {
      type: 'list',
      commas: 'always',
      value: 'NAME',
      example: 'cpuhog',
      says: 'only by this policy',
    },
    ...policiesOption,
    ...filterOptions,
    ...timeOptions,
    all: { type: 'boolean', says: 'also list what harmed nobody, and why' },
    fail: { type: 'boolean', says: 'exit with 1 if there are violations' },
    ...zoneOption,
    ...globalOptions,
    ...tableFormatOption,
    ...nodeDatabaseOption,
  },
  examples: [
    'jobmeter hogs',
    'jobmeter hogs --policy cpuhog,vampire --from yesterday',
    'jobmeter hogs --user ada --all --format json',
  ],
})

const usualDays = 7

export const execute = commandAction(definition, async ({ options, console }) => {
  const system = realSystem({ ownsProcess: false })
  const span = spanAsked(options, system.clock.wallSeconds(), usualDays)
  const reader = openNode(system, options.db)
  // One that is written no more is known by what it found.
  const unseen: string[] = []
  for (const name of options.policy)
    if ((await reader.violations({ policies: [name] })).length === 0) unseen.push(name)
  if (unseen.length > 0) {
    const { policies } = await loadPolicies(system, options.policies)
    for (const name of unseen) policyNamed(policies, name)
  }
  const { policy: policies, user: users, host: hosts } = options
  const asked = { policies, users, hosts, ...span }
  const { violations: found, notJudged } = await findHogs(reader, asked)
  await reader.close()
  const real = found.filter(({ suppressedBecause }) => suppressedBecause === null)
  if (options.format === 'json') console.print(`${jsonText(hogsJson(found, notJudged), 2)}\n`)
  else if (options.format === 'csv') console.print(hogsCsv(options.all ? found : real))
  else console.print(hogsText(found, notJudged, { zone: zoneAsked(options), all: options.all }))
  return exitCode(real, options.fail)
})

const exitCode = (violations: readonly Violation[], fails: boolean): number =>
  fails && violations.length > 0 ? 1 : 0
