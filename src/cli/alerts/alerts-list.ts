import { alertJson } from '../../render/alerts/alert-json.ts'
import { alertListText } from '../../render/alerts/alert-list-text.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { listAlerts } from '../../service/alerts/list-alerts.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption } from '../command/define.ts'
import { findLedger } from '../ledger/ledger-place.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'

const definition = defineCommand({
  name: 'alerts list',
  aliases: [],
  summary: 'Lists the alerts that fire now, newest first, and how far they were delivered.',
  usage: 'alerts list [options]',
  description:
    'An alert about a running job is over when the job is. One about how a job ended fires until that job, by its name, folder and user, ends well, or for 7 days.',
  arguments: [],
  options: {
    all: { type: 'boolean', says: 'also those that are over, of the last 30 days' },
    limit: {
      type: 'number',
      value: 'N',
      default: 100,
      min: 1,
      whole: true,
      says: 'how many to show at most',
    },
    ...zoneOption,
    ...globalOptions,
  },
  examples: ['jobmeter alerts list', 'jobmeter alerts list --all --format json'],
})

export const execute = commandAction(definition, ({ options, console }) => {
  const system = realSystem({ ownsProcess: false })
  const ledger = findLedger(system, options.db, { quiet: false })
  const alerts = listAlerts(system, ledger, options)
  console.print(
    options.format === 'json'
      ? `${jsonText(alerts.map(alertJson), 2)}\n`
      : alertListText(alerts, options.all, console.style(1), zoneAsked(options)),
  )
  return 0
})
