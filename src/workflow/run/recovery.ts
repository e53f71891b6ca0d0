import type { Workflow } from '../../model/workflow.ts'
import type { ActionRunner } from './actions.ts'
import { stdioOf } from './attempt.ts'
import type { Retry } from './endings.ts'
import type { RunObserver } from './events.ts'
import { jobEnvironment } from './job-environment.ts'

interface Circumstances {
  readonly actions: ActionRunner
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workflow: Workflow
  readonly hears: Pick<RunObserver, 'trouble'>
}

/** Runs the recovery script of a failed attempt, if there is one; answers whether its job may be tried again. */
export async function recover(
  { actions, environment, workflow, hears }: Circumstances,
  { attempt, rule }: Retry,
): Promise<boolean> {
  if (rule.recoveryScript === null) return true
  const { job } = attempt.stored
  const exitCode = await actions.runCommand(rule.recoveryScript, {
    environment: jobEnvironment(environment, workflow, job, attempt.identity, attempt.start.gpus),
    stdout: stdioOf(attempt, 'o'),
    stderr: stdioOf(attempt, 'e'),
  })
  if (exitCode !== 0)
    hears.trouble(`the recovery script of ${job.name} exited with code ${exitCode}`)
  return exitCode === 0
}
