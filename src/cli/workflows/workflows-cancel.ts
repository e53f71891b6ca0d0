import { count } from '../../model/count.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { noticeText } from '../../render/workflow/notice-text.ts'
import { cancelWorkflow } from '../../service/change-workflow.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { openLedger } from '../ledger/ledger.ts'
import { workflowArgument } from './workflow-argument.ts'

const definition = defineCommand({
  name: 'workflows cancel',
  aliases: [],
  summary:
    'Stops the runner of a workflow. If it has no runner, cancels the jobs that are still marked as running.',
  usage: 'workflows cancel ID [options]',
  arguments: [workflowArgument],
  options: globalOptions,
  examples: ['jobmeter workflows cancel 1'],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const ledger = openLedger(system, options.db)
  const { workflowId, runnerPid, jobs, leftovers, mayHaveLeft } = await cancelWorkflow(
    system,
    ledger,
    given.id,
    (notice) => console.complain(noticeText(notice)),
  )
  ledger.close()
  if (leftovers.length > 0)
    console.complain(noticeText({ kind: 'leftovers ended', pids: leftovers }))
  const json = { workflow_id: workflowId, runner_pid: runnerPid, jobs_cancelled: jobs }
  console.print(
    options.format === 'json'
      ? `${jsonText(json, 2)}\n`
      : runnerPid === null
        ? `Nothing is running workflow ${workflowId}. ${count(jobs, 'job')} cancelled.\n`
        : `Asked process ${runnerPid}, which is running workflow ${workflowId}, to stop. See jobmeter workflows status ${workflowId}\n`,
  )
  // Asked again once the daemon answers, it ends what is left.
  return mayHaveLeft ? 1 : 0
})
