import { markReportJson } from '../../render/marks/marks-json.ts'
import { detailsText } from '../../render/record/details-text.ts'
import { mayBeQueued, queueIdIn } from '../../model/queue-tag.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { recordJson } from '../../render/record/record-json.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, zoneOption, type OptionValues } from '../command/define.ts'
import type { JobRecord } from '../../model/record.ts'
import type { Style } from '../../render/text/style.ts'
import { findJob, jobWords } from '../../service/find-job.ts'
import { markedParts } from '../../service/marked-parts.ts'
import { pricePath } from '../../service/price-path.ts'
import { UserError } from '../../service/user-error.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { System } from '../../system/system.ts'
import { isSeenRef, seenJobWords } from '../../service/seen-jobs.ts'
import { nodeDbOption } from '../node/node-db-option.ts'
import type { Console } from '../terminal/console.ts'
import { openReader } from './ledger.ts'
import { zoneAsked } from '../terminal/zone-asked.ts'

const definition = defineCommand({
  name: 'job-details',
  aliases: ['show'],
  summary: 'Shows everything known about one or more jobs, and how each figure was obtained.',
  usage: 'job-details JOB... [options]',
  description:
    'If a name or job id matches several attempts, the newest is shown. The id of a job of the queue shows the attempt that counts, and lists the others. JSON output is one object for one job, and an array for several.',
  arguments: [
    { name: 'job', required: true, variadic: true, says: `${jobWords}; or ${seenJobWords}` },
  ],
  options: { ...zoneOption, ...globalOptions, ...nodeDbOption },
  examples: [
    'jobmeter job-details 3f8a21b2c4d5',
    'jobmeter show train',
    'jobmeter show 3f8a21b2c4d5 7b9e3f1a8c2d',
    'jobmeter show last --format json',
    'jobmeter job-details slurm:4711@node01',
  ],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const own = given.job.filter((typed) => !isSeenRef(typed))
  const found = own.length === 0 ? [] : await ownDetails(system, own, options, console)
  const details = []
  for (const typed of given.job) {
    const seen = isSeenRef(typed) ? await seenDetailsOf(system, typed, options, console) : undefined
    const one = seen ?? found.shift()
    if (one !== undefined) details.push(one)
  }
  if (options.format === 'json') {
    const [first, ...others] = details.map(({ json }) => json)
    const json = first === undefined || others.length > 0 ? [first, ...others] : first
    console.print(`${jsonText(json, 2)}\n`)
  } else console.print(details.map(({ text }) => text).join('\n'))
  return 0
})

interface Details {
  readonly json: object
  readonly text: string
}

async function ownDetails(
  system: System,
  typed: readonly string[],
  options: OptionValues<typeof definition>,
  console: Console,
): Promise<Details[]> {
  const reader = openReader(system, options.db)
  const asked = { system, db: options.db, console }
  const found: FoundRecord[] = []
  for (const one of typed) found.push(await findRecord(reader, one, asked))
  const records = found.map(({ record }) => record)
  const marked = await Promise.all(records.map((record) => markedParts(reader, record, undefined)))
  await reader.close()
  const style = console.style(1)
  const zone = zoneAsked(options)
  const costs = options.format === 'json' ? [] : await costsOf(system, records)
  return found.map(({ record, trail }, index) => {
    const parts = marked[index] ?? null
    const cost = costs[index]
    const sections = [detailsText(record, style, zone, parts), cost?.(style), trail?.text(style)]
    return {
      json: {
        ...recordJson(record),
        ...(parts === null ? {} : { marks: markReportJson(parts) }),
        ...(trail === undefined ? {} : { queue: trail.json }),
      },
      text: sections.filter((section) => section !== undefined).join('\n'),
    }
  })
}

interface FoundRecord {
  readonly record: JobRecord
  /** Of a job of the queue. */
  readonly trail?: { readonly json: object; readonly text: (style: Style) => string }
}

/** What is of the queue, or may be, is looked for there as well; the code for it is loaded then. */
async function findRecord(
  reader: LedgerReader,
  typed: string,
  asked: { readonly system: System; readonly db: string | undefined; readonly console: Console },
): Promise<FoundRecord> {
  const found = await findJob(reader, typed).catch((error: unknown) => {
    if (error instanceof UserError && mayBeQueued(typed)) return error
    throw error
  })
  const record = found instanceof UserError ? undefined : found
  if (record !== undefined && queueIdIn(record.tags) === undefined) return { record }
  const { trailedRecord } = await import('../queue/trailed-record.ts')
  const trailed = await trailedRecord(reader, asked, typed, record)
  if (trailed === undefined) {
    if (found instanceof UserError) throw found
    return { record: found }
  }
  const { queueTrailJson, queueTrailText } = await import('../../render/queue/queue-trail.ts')
  const { trail } = trailed
  const { taskId, attempt } = trailed.record
  const text = (style: Style): string => queueTrailText(trail, taskId, style)
  // A ledger counts each attempt at a job of the queue as the first one at a job of its own.
  const number = trail.attempts.find((each) => each.taskId === taskId)?.number ?? attempt
  const counted = { ...trailed.record, attempt: number }
  return { record: counted, trail: { json: queueTrailJson(trail), text } }
}

/** Loaded only where a job of the agent is asked for. */
async function seenDetailsOf(
  system: System,
  typed: string,
  options: OptionValues<typeof definition>,
  console: Console,
): Promise<Details> {
  const { seenDetails, seenReport } = await import('../node/seen-job.ts')
  return seenDetails(
    await seenReport(system, typed, options['node-db']),
    console.style(1),
    zoneAsked(options),
  )
}

/** Loaded only where there are prices. */
async function costsOf(
  system: System,
  records: readonly JobRecord[],
): Promise<readonly ((style: Style) => string)[]> {
  const prices = pricePath(system, undefined, process.env)
  if (prices === undefined) return []
  const { costSections } = await import('../reports/cost-line.ts')
  return costSections(system, prices, records)
}
