import { jsonText } from '../../render/text/json-text.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { openLedgerOrMake } from '../ledger/ledger.ts'
import { storeSpec } from '../../service/spec-file.ts'
import { readSpecFile, tellUnused } from '../run/spec-file.ts'

const definition = defineCommand({
  name: 'workflows create-from-spec',
  aliases: [],
  summary: 'Reads a workflow file and stores it in the ledger; nothing runs yet.',
  usage: 'workflows create-from-spec SPEC [options]',
  arguments: [
    { name: 'spec', required: true, says: 'the file: .yaml, .yml, .json, .json5 or .kdl' },
  ],
  options: {
    'resource-monitoring': {
      type: 'boolean',
      default: true,
      says: 'do not watch the jobs; record only what the kernel reports when they end',
    },
    ...globalOptions,
  },
  examples: [
    'jobmeter workflows create-from-spec pipeline.yaml',
    'jobmeter workflows create-from-spec pipeline.kdl --no-resource-monitoring --format json',
  ],
})

export const execute = commandAction(definition, ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const spec = readSpecFile(system, given.spec)
  tellUnused(spec, console)
  const ledger = openLedgerOrMake(system, options.db)
  const workflowId = storeSpec(system, ledger, spec, { monitored: options['resource-monitoring'] })
  ledger.close()
  console.print(
    options.format === 'json'
      ? `${jsonText({ workflow_id: workflowId }, 2)}\n`
      : `Workflow ${workflowId}: ${spec.workflow.jobs.length} jobs. Run it: jobmeter run-jobs ${workflowId}\n`,
  )
  return 0
})
