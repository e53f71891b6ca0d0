import { mayHideContainer } from '../launch/launch.ts'
import type { StoredWorkflow } from '../store/ledger/workflow-store.ts'
import type { System } from '../system/system.ts'
import { wordsOfJob } from '../workflow/run/attempt-order.ts'

/** A job whose command starts a container out of a script, where it is not looked into. */
export interface HiddenContainer {
  readonly job: string
  readonly engine: string
}

/** The jobs of a workflow whose containers are neither measured nor ended with them. */
export async function hiddenContainers(
  { files }: System,
  { workflow, jobs }: Pick<StoredWorkflow, 'workflow' | 'jobs'>,
): Promise<readonly HiddenContainer[]> {
  const place = { files, environment: {}, workingDirectory: '/' }
  const may = jobs
    .map(({ job }) => job)
    .filter((job) => job.container === undefined && mayHideContainer([job.command]))
    .map((job) => ({ job: job.name, command: wordsOfJob(workflow, job, 'sh', place) }))
  if (may.length === 0) return []
  const { parseContainerCommand } = await import('../launch/container/run-command.ts')
  const { hiddenEngine } = await import('../launch/container/command-prefix.ts')
  return may.flatMap(({ job, command }) => {
    const engine = parseContainerCommand(command) === undefined ? hiddenEngine(command) : undefined
    return engine === undefined ? [] : { job, engine }
  })
}
