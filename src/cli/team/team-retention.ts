import { jsonText } from '../../render/text/json-text.ts'
import { count } from '../../model/count.ts'
import { openTeam } from '../../service/team/open-team.ts'
import { changeRetention } from '../../service/team/team-retention.ts'
import { teamFacts } from '../../service/team/team-status.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { ledgerOfTeam, telling, typedAddress } from './team-address.ts'

const months = {
  type: 'number',
  value: 'MONTHS',
  min: 0,
  max: 1200,
  whole: true,
} as const

const definition = defineCommand({
  name: 'team retention',
  aliases: [],
  summary: 'Says, or shows, how long the team keeps records and samples.',
  usage: 'team retention [ADDRESS] [options]',
  description:
    'What is older is dropped by whole months, at once and then by those who send. For an administrator of the team ledger; without options, ' +
    'for anybody who may look.',
  arguments: [
    {
      name: 'address',
      required: false,
      says: 'the team ledger; by default that of $JOBMETER_TEAM, or the one joined',
    },
  ],
  options: {
    records: { ...months, example: '24', says: 'months to keep records; 0 keeps them for ever' },
    samples: { ...months, example: '6', says: 'months to keep samples; 0: as long as records' },
    ...globalOptions,
  },
  examples: [
    'jobmeter team retention',
    'jobmeter team retention --records 24 --samples 6 postgres://admin@db.lab/jobs',
  ],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const address =
    given.address === undefined
      ? ledgerOfTeam(system, options.db).address
      : typedAddress(given.address)
  const isChange = options.records !== undefined || options.samples !== undefined
  const { dropped, retention } = await telling(address, async () => {
    const database = await openTeam(address)
    try {
      const change = { records: orNever(options.records), samples: orNever(options.samples) }
      const tables = isChange ? await changeRetention(database, change) : 0
      return { dropped: tables, retention: (await teamFacts(database)).retention }
    } finally {
      await database.close()
    }
  })
  if (options.format === 'json') console.print(`${jsonText({ ...retention, dropped }, 2)}\n`)
  else
    console.print(
      `records: ${kept(retention.records)}\nsamples: ${kept(retention.samples)}\n` +
        (dropped > 0 ? `${count(dropped, 'table')} dropped\n` : ''),
    )
  return 0
})

const orNever = (given: number | undefined): number | null | undefined =>
  given === 0 ? null : given

const kept = (found: number | null): string =>
  found === null ? 'kept for ever' : `kept for ${count(found, 'month')}`
