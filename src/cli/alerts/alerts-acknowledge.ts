import { alertJson } from '../../render/alerts/alert-json.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { acknowledgeAlert } from '../../service/alerts/acknowledge.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { findLedger } from '../ledger/ledger-place.ts'

const definition = defineCommand({
  name: 'alerts acknowledge',
  aliases: [],
  summary: 'Notes that you have seen an alert: it is not delivered any more until it fires anew.',
  usage: 'alerts acknowledge ID [options]',
  arguments: [
    {
      name: 'id',
      required: true,
      says: 'the alert_id of alerts list --format json, or the start of it',
    },
  ],
  options: globalOptions,
  examples: ['jobmeter alerts acknowledge 3f8a21b2', 'jobmeter alerts list --format json'],
})

export const execute = commandAction(definition, ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const ledger = findLedger(system, options.db, { quiet: false })
  const { user } = system.host
  const alert = acknowledgeAlert(system, ledger, { alertId: given.id, user })
  console.print(
    options.format === 'json'
      ? `${jsonText(alertJson(alert), 2)}\n`
      : `Acknowledged by ${alert.acknowledgedBy ?? user}: ${alert.text}\n`,
  )
  return 0
})
