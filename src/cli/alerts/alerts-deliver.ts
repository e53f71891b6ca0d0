import { resolve } from 'node:path'
import { jsonText } from '../../render/text/json-text.ts'
import { deliverAll, type DeliveryEnd } from '../../service/alerts/deliver-all.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { findLedger } from '../ledger/ledger-place.ts'

const definition = defineCommand({
  name: 'alerts deliver',
  aliases: [],
  summary: 'Delivers alerts that are still queued, until none is left.',
  usage: 'alerts deliver [options]',
  description:
    'jobmeter starts this by itself in the background when an alert fires. It is for servers that were down for longer than it tries.',
  arguments: [],
  options: {
    for: {
      type: 'duration',
      value: 'TIME',
      default: 900,
      min: 0,
      says: 'how long to try; what is left then stays queued',
    },
    quiet: { type: 'boolean', short: 'q', says: 'print only errors' },
    ...globalOptions,
  },
  examples: ['jobmeter alerts deliver', 'jobmeter alerts deliver --for 1h'],
})

const words: Readonly<Record<DeliveryEnd['because'], string>> = {
  empty: 'nothing is left',
  time: 'some are still queued: see jobmeter alerts list --all',
  another: 'another process delivers the rest',
  secret: 'the rest needs secrets that are not set here: see jobmeter alerts list',
}

export const execute = commandAction(definition, async ({ options, console }) => {
  const system = realSystem({ ownsProcess: false })
  // The terminal that the job was started from may be closed.
  system.processes.onSignal('SIGHUP', () => {})
  const ledger = resolve(findLedger(system, options.db, options))
  const environment = process.env
  const end = await deliverAll(system, { ledger, environment, forSeconds: options.for })
  if (options.format === 'json') console.print(`${jsonText(end, 2)}\n`)
  else if (!options.quiet)
    console.print(
      `${end.delivered} delivered, ${end.failures} failed attempts; ${words[end.because]}\n`,
    )
  return end.because === 'time' || end.because === 'secret' ? 1 : 0
})
