import { withQueue } from '../../service/queue/open-queue.ts'
import { loadTools, toolJob } from '../../service/queue/tool-job.ts'
import { findJob } from '../../store/postgres/queue/jobs.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { parseParams } from '../run/params.ts'
import { addressAsked } from './address.ts'
import { submitWanted } from './submit.ts'
import { submitToolDefinition } from './submit-tool-definition.ts'
import { wantedJob } from './wanted-job.ts'

export const execute = commandAction(
  submitToolDefinition,
  async ({ options, arguments: { tool, script }, console }) => {
    const system = realSystem({ ownsProcess: false })
    const tools = await loadTools(system, options.tools, process.env)
    const input = { script: script ?? null, params: parseParams(options.param) }
    // Before anybody is asked for a connection: a mistake is told at once.
    const job = toolJob(system, tools, tool, input, wantedJob([], options, null))
    return withQueue(addressAsked(options.db, system), async (queue) => {
      const { after } = options
      const before = after === undefined ? null : (await findJob(queue.database, after)).id
      return submitWanted(system, queue, [{ ...job, after: before }], options, console)
    })
  },
)
