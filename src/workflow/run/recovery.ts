import type { FailureRule, Workflow } from '../../model/workflow.ts'
import type { ActionRunner } from './actions.ts'
import { stdioOf, type Attempt } from './attempt.ts'
import { jobEnvironment } from './job-environment.ts'

interface Circumstances {
  readonly actions: ActionRunner
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workflow: Workflow
  readonly note: (message: string) => void
}

/** Runs the recovery script of a failed attempt, if there is one; answers whether its job may be tried again. */
export async function recover(
  { actions, environment, workflow, note }: Circumstances,
  attempt: Attempt,
  rule: FailureRule,
): Promise<boolean> {
  if (rule.recoveryScript === null) return true
  const { job } = attempt.stored
  const exitCode = await actions.runCommand(rule.recoveryScript, {
    environment: jobEnvironment(environment, workflow, job, attempt.identity, attempt.start.gpus),
    stdout: stdioOf(attempt, 'o'),
    stderr: stdioOf(attempt, 'e'),
  })
  if (exitCode !== 0) note(`the recovery script of ${job.name} exited with code ${exitCode}`)
  return exitCode === 0
}
