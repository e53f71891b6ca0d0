import { planPrune, pruneLedger } from '../../record/prune-ledger.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { pruneJson } from '../../render/record/prune-json.ts'
import { pruneText } from '../../render/record/prune-text.ts'
import { isTeamAddress } from '../../store/ledger/location.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption } from '../command/define.ts'
import { openLedger } from './ledger.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'

const definition = defineCommand({
  name: 'prune',
  aliases: [],
  summary: 'Deletes old jobs and workflows from the ledger, with their samples.',
  usage: 'prune --older-than AGE [options]',
  description:
    'A workflow is deleted as a whole, once nothing in it has run for that long. Whatever is running stays, and so do logs, series files and ' +
    'everything else in output directories. Of a team ledger (--db postgres://…) an administrator drops whole months.',
  arguments: [],
  options: {
    'older-than': {
      type: 'duration',
      value: 'AGE',
      example: '90d',
      required: true,
      // 90 alone would be seconds, and hardly ever meant so.
      needsUnit: true,
      says: 'how long ago a job must have started, or a workflow last been active, to be deleted',
    },
    'dry-run': { type: 'boolean', says: 'show what would be deleted, and delete nothing' },
    ...zoneOption,
    ...globalOptions,
  },
  examples: [
    'jobmeter prune --older-than 90d',
    'jobmeter prune --older-than 90d --dry-run',
    'jobmeter prune --older-than 730d --db postgres://admin@db.lab/jobs',
  ],
})

export const execute = commandAction(definition, async ({ options, console }) => {
  const system = realSystem({ ownsProcess: false })
  if (options.db !== undefined && isTeamAddress(options.db)) {
    const { pruneTeam } = await import('../team/prune-team.ts')
    return pruneTeam(
      options.db,
      system.clock.wallSeconds() - options['older-than'],
      options,
      console,
    )
  }
  const ledger = openLedger(system, options.db)
  const before = system.clock.wallSeconds() - options['older-than']
  const act = options['dry-run'] ? planPrune : pruneLedger
  const json = pruneJson(act(system, ledger, before), options['dry-run'])
  ledger.close()
  console.print(
    options.format === 'json'
      ? `${jsonText(json, 2)}\n`
      : pruneText(json, console.style(1), zoneAsked(options)),
  )
  return 0
})
