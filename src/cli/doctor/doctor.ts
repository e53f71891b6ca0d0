import { doctorText } from '../../render/record/doctor-text.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { doctorReport } from './doctor-report.ts'
import { findLedger } from '../ledger/ledger-place.ts'

const definition = defineCommand({
  name: 'doctor',
  aliases: [],
  summary:
    'Shows what can be measured on this machine, by which means, and how to enable the rest.',
  usage: 'doctor [options]',
  arguments: [],
  options: globalOptions,
  examples: ['jobmeter doctor', 'jobmeter doctor --format json'],
})

export const execute = commandAction(definition, async ({ options, console }) => {
  const system = realSystem({ ownsProcess: true })
  const report = await doctorReport(system, findLedger(system, options.db, { quiet: false }))
  console.print(
    options.format === 'json' ? `${jsonText(report, 2)}\n` : doctorText(report, console.style(1)),
  )
  return report.rungs.some(({ name, state }) => name === 'ledger' && state === 'no') ? 1 : 0
})
