import { count } from '../../model/count.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { judgePast } from '../../service/policies/judge-past.ts'
import { loadPolicies } from '../../service/policies/policy-file.ts'
import { openNodeStore } from '../../store/node/open-node.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { policiesOption } from './agent-policies.ts'
import {
  agentDatabase,
  askedZoneOption,
  filterOptions,
  nodeDatabaseOption,
  timeOptions,
} from './node-options.ts'
import { spanAsked } from './span-asked.ts'

const definition = defineCommand({
  name: 'policies judge',
  aliases: [],
  summary: 'Judges hosts that no agent judges, such as imported ones, for hogs to list.',
  usage: 'policies judge [options]',
  description:
    'By all policies that are switched on, and the finest rows that cover the time: all that is known without --from. What is found takes the place of what was found before; nobody is told. Hosts that an agent judges are left alone. The exit code is 0 whatever is found.',
  arguments: [],
  options: {
    ...timeOptions,
    host: filterOptions.host,
    ...policiesOption,
    ...askedZoneOption,
    ...globalOptions,
    ...nodeDatabaseOption,
  },
  examples: ['jobmeter policies judge', 'jobmeter policies judge --from 30d --host node01'],
})

export const execute = commandAction(definition, async ({ options, console }) => {
  const system = realSystem({ ownsProcess: false })
  const { policies } = await loadPolicies(system, options.policies)
  const now = system.clock.wallSeconds()
  const { from, to } = spanAsked(options, now, Infinity)
  const store = openNodeStore(agentDatabase(system, options.db), {
    onProblem: (problem) => console.complain(problem),
  })
  const judged = judgePast(
    store,
    policies.filter(({ isEnabled }) => isEnabled),
    {
      hosts: options.host,
      from,
      to: Math.min(now, to),
    },
  )
  store.close()
  const sum = (name: 'violations' | 'suppressed'): number =>
    judged.reduce((total, one) => total + one[name], 0)
  if (options.format === 'json') console.print(`${jsonText(judged, 2)}\n`)
  else
    console.print(
      `${count(judged.length, 'host')} judged: ${count(sum('violations'), 'violation')}, ${sum('suppressed')} more not reported because the rest of the node was mostly idle. \`jobmeter hogs --all\` lists them.\n`,
    )
  return 0
})
