import { marginPercent, requestMargins, usualPercent } from '../../analysis/policy.ts'
import type { SizingAdvice } from '../../analysis/sizing/sizing-advice.ts'
import { recommendationCsv } from '../../render/reports/recommend/csv.ts'
import type { Recommendation } from '../../analysis/sizing/recommendation.ts'
import { recommendationJson } from '../../render/reports/recommend/json.ts'
import { recommendationMarkdown } from '../../render/reports/recommend/markdown.ts'
import { recommendationText } from '../../render/reports/recommend/text.ts'
import { plainStyle, type Style } from '../../render/text/style.ts'
import { unifiedDiff } from '../../render/text/unified-diff.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import {
  editRequests,
  type SpecEdit,
  type WantedFigure,
  type WantedRequest,
} from '../../workflow/spec-edit/edit-requests.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'
import { openReader } from '../ledger/ledger.ts'
import { inFormat, reportOptions } from './report-format.ts'
import { recommendRequests } from '../../service/reports/recommendation.ts'
import type { SpecFile } from '../../service/spec-file.ts'
import { readSpecFile } from '../run/spec-file.ts'
import { UserError } from '../../service/user-error.ts'
import { wholeWorkflow } from '../../service/find-workflow.ts'
import { tellNewest, workflowOrNewest } from '../workflows/workflow-argument.ts'

type Edited = Extract<SpecEdit, { kind: 'ok' }>

const definition = defineCommand({
  name: 'reports recommend',
  aliases: [],
  summary: 'Recommends what each request of a workflow should be, and can write it into the file.',
  usage: 'reports recommend [ID] [options]',
  description:
    `Memory is the highest peak plus ${marginPercent(requestMargins.memory)} %; runtime is what ${usualPercent} % of the attempts took, plus ${marginPercent(requestMargins.runtime)} %; CPUs are ` +
    'the most cores that any attempt kept busy, its busiest 5 % of the time left out. Attempts that failed or were only partly measured never lower a request.',
  arguments: [workflowOrNewest],
  options: {
    runs: {
      type: 'string',
      value: 'N',
      default: 'all',
      example: '3',
      says: 'only the newest N runs',
    },
    write: {
      type: 'string',
      value: 'SPEC',
      example: 'pipeline.yaml',
      says: 'write the recommendations into this workflow file; only the numbers change',
    },
    'dry-run': {
      type: 'boolean',
      says: 'show what --write would change, and leave the file alone',
    },
    ...reportOptions,
  },
  examples: [
    'jobmeter reports recommend 1',
    'jobmeter reports recommend 1 --write pipeline.yaml --dry-run',
    'jobmeter reports recommend 1 --runs 3 --format json',
  ],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const { format, write, 'dry-run': isDryRun } = options
  if (isDryRun && write === undefined) throw new UserError('--dry-run needs --write SPEC', 'usage')
  if (write !== undefined && given.id === undefined)
    throw new UserError('name the workflow: jobmeter reports recommend ID --write SPEC', 'usage')
  const newest = newestRuns(options.runs)
  const spec = write === undefined ? null : readSpecFile(system, write)
  const reader = openReader(system, options.db)
  const stored = await wholeWorkflow(reader, given.id)
  tellNewest(stored, given.id, format, console)
  const recommendation = await recommendRequests(reader, stored, newest, spec)
  await reader.close()
  if (spec === null) {
    console.print(shown(recommendation, format, console.style(1), null))
    return 0
  }
  const { text, path } = spec
  const edit = editOf(spec, recommendation)
  const style = console.style(format === 'table' ? 1 : 2)
  const diff = unifiedDiff(path, text, edit.changes, format === 'json' ? plainStyle : style)
  const willWrite = !isDryRun && edit.changes.length > 0
  const writing = { path, diff, written: willWrite, not_in_file: edit.missing }
  // Before it is shown: whoever reads may go away before the end (`| head`).
  if (willWrite) save(system, path, edit.text)
  console.print(shown(recommendation, format, style, writing))
  // Beside the table; past the answer where a program reads that.
  if (format === 'table' && diff !== '') console.print(`\n${diff}`)
  if (format === 'csv' || format === 'markdown') console.note(diff)
  for (const name of edit.missing) console.complain(`${path} has no request "${name}"`)
  console.note(`${outcome(path, edit.changes.length, willWrite)}\n`)
  return 0
})

/** How many of the newest runs count. */
function newestRuns(typed: string): number {
  if (typed.toLowerCase() === 'all') return Infinity
  const runs = Number(typed)
  if (/^\d+$/.test(typed) && runs >= 1) return runs
  throw new UserError(
    `--runs ${JSON.stringify(typed)} is neither "all" nor a number of runs`,
    'usage',
  )
}

function shown(
  recommendation: Recommendation,
  format: Parameters<typeof inFormat>[0],
  style: Style,
  write: object | null,
): string {
  return inFormat(format, {
    json: { ...recommendationJson(recommendation), ...(write === null ? {} : { write }) },
    csv: () => recommendationCsv(recommendation),
    markdown: () => recommendationMarkdown(recommendation),
    table: () => recommendationText(recommendation, style),
  })
}

function editOf({ text, path }: SpecFile, { requests }: Recommendation): Edited {
  const wanted = requests.map(({ kind, name, advice }): WantedRequest => ({
    kind,
    name,
    wanted: {
      cpus: figure(advice.cpus),
      memoryBytes: figure(advice.memory),
      runtimeSeconds: figure(advice.runtime),
    },
  }))
  const edit = editRequests(text, path, wanted)
  if (edit.kind === 'ok') return edit
  throw new UserError(`${path} was left as it is: ${edit.why}`)
}

const figure = ({ recommended: value, mayLower }: SizingAdvice): WantedFigure | null =>
  value === null ? null : { value, mayLower }

function save(system: System, path: string, text: string): void {
  const saved = system.files.save(path, [new TextEncoder().encode(text)], 'source')
  if (saved.kind !== 'ok')
    throw new UserError(
      `nothing was changed: ${saved.kind === 'unavailable' ? saved.why : saved.error}`,
    )
}

function outcome(path: string, changes: number, isWritten: boolean): string {
  if (changes === 0) return `Nothing to change in ${path}.`
  return isWritten ? `Wrote ${path}.` : `${path} was left as it is (--dry-run).`
}
