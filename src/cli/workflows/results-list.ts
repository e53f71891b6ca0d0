import { attemptStatuses } from '../../model/outcome.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { resultsCsv } from '../../render/workflow/results-csv.ts'
import { resultJson, resultKeys, type Result } from '../../render/workflow/results-rows.ts'
import { earlierText, ResultsTable } from '../../render/workflow/results-text.ts'
import { leftText } from '../../render/workflow/workflow-words.ts'
import { leftElsewhere } from '../../service/left-elsewhere.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { statusesAsked, statusFilter } from '../command/status-filter.ts'
import { knownRun } from '../../service/known-run.ts'
import { openReader } from '../ledger/ledger.ts'
import { UserError } from '../../service/user-error.ts'
import { workflowRow } from '../../service/find-workflow.ts'
import { tellNewest, workflowOrNewest } from './workflow-argument.ts'

const definition = defineCommand({
  name: 'results list',
  aliases: [],
  summary: 'Lists how the jobs of a workflow ended and what they used: the latest result of each.',
  usage: 'results list [ID] [options]',
  description:
    '100 % is one core. 1 MB is 1024² bytes. For more about one of them, use `jobmeter show JOB`.',
  arguments: [workflowOrNewest],
  options: {
    'run-id': { type: 'number', value: 'N', min: 1, whole: true, says: 'the results of this run' },
    'all-runs': { type: 'boolean', says: 'every attempt of every run' },
    ...statusFilter(attemptStatuses),
    ...globalOptions,
    format: {
      type: 'choice',
      choices: ['table', 'json', 'csv'],
      default: 'table',
      says: 'output format',
    },
  },
  examples: [
    'jobmeter results list',
    'jobmeter results list 1 --run-id 2 --failed',
    'jobmeter results list 1 --all-runs --format csv > results.csv',
  ],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const runId = options['run-id']
  if (runId !== undefined && options['all-runs'])
    throw new UserError('--run-id and --all-runs cannot be used together', 'usage')
  const system = realSystem({ ownsProcess: false })
  const reader = openReader(system, options.db)
  const workflow = await workflowRow(reader, given.id)
  const { workflowId, latestRunId } = workflow
  knownRun(workflow, runId)
  const left = await leftElsewhere(system, reader, workflow)
  tellNewest(workflow, given.id, options.format, console)
  const status = statusesAsked(options, attemptStatuses)
  const query = {
    ...(runId === undefined ? {} : { runId }),
    allRuns: options['all-runs'],
    ...(status === undefined ? {} : { status }),
  }
  const isLatestOnly = runId === undefined && !options['all-runs']
  const each = async <T>(make: (result: Result) => T): Promise<T[]> => {
    const made = await reader.workflows.briefResults(workflowId, query, resultKeys, make)
    await reader.close()
    return made
  }
  switch (options.format) {
    case 'json': {
      const json = { workflow_id: workflowId, results: await each(resultJson) }
      console.print(`${jsonText(json, 2)}\n`)
      break
    }
    case 'csv':
      console.printAll(resultsCsv(await each(resultJson)))
      break
    case 'table': {
      const table = new ResultsTable(console.style(1))
      const earlier = isLatestOnly ? await reader.workflows.countEarlier(workflowId, query) : 0
      await each((result) => table.add(result))
      const none =
        latestRunId !== null
          ? 'No result matches.'
          : `Workflow ${workflowId} has not run yet. Run it: jobmeter run-jobs ${workflowId}`
      console.printAll(table.lines(none, console.width))
      if (earlier > 0) console.print(`${console.style(1).dim(earlierText(earlier))}\n`)
      if (left !== null) console.print(`${leftText(left)}\n`)
    }
  }
  return 0
})
