import type { Workflow } from '../../model/workflow.ts'
import type { System } from '../../system/system.ts'
import type { ActionRunner } from './actions.ts'
import { stdioOf, type Attempt } from './attempt.ts'
import type { Retry } from './endings.ts'
import type { RunObserver } from './events.ts'
import { jobEnvironment } from './job-environment.ts'
import { LeftByAttempt } from './left-by-attempt.ts'

interface Circumstances {
  readonly system: System
  /** This machine. */
  readonly host: string
  readonly actions: ActionRunner
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workflow: Workflow
  readonly hears: Pick<RunObserver, 'note' | 'trouble'>
  readonly isStopped: () => boolean
}

/** A retry after all was done for it that is to be done first. */
export interface Recovery {
  /** Its record names only what still runs. */
  readonly retry: Retry
  /** Whether its job may be tried again. */
  readonly hasRecovered: boolean
}

/**
 * Ends what a failed attempt left running, and runs its recovery script, if there is one. That may be what has a daemon answer
 * again, so it is not kept waiting for that.
 */
export async function recover(circumstances: Circumstances, retry: Retry): Promise<Recovery> {
  const { stragglers, machine } = retry.record
  if (stragglers.length === 0) return { retry, hasRecovered: await runScript(circumstances, retry) }
  const { stored } = retry.attempt
  const { host, isStopped } = circumstances
  if (machine.host !== host)
    return refused(circumstances, retry, `it ran on ${machine.host}, where nobody can be asked`)
  const left = new LeftByAttempt(circumstances, stored.job.name, {
    taskId: retry.record.taskId,
    command: retry.record.command,
    environment: environmentOf(circumstances, retry.attempt),
  })
  await left.tryToEnd()
  const isMended = await runScript(circumstances, retry)
  if (isMended && left.whyNotEnded !== null) await left.end()
  if (left.whyNotEnded === null)
    return {
      retry: { ...retry, record: { ...retry.record, stragglers: [] }, hasLeftEnded: true },
      hasRecovered: isMended,
    }
  return isMended && !isStopped()
    ? refused(circumstances, retry, left.whyNotEnded)
    : { retry, hasRecovered: false }
}

function refused({ hears }: Circumstances, retry: Retry, why: string): Recovery {
  const { name } = retry.attempt.stored.job
  hears.trouble(`${name} is not tried again: a container of it may still run (${why})`)
  return { retry, hasRecovered: false }
}

async function runScript(circumstances: Circumstances, { attempt, rule }: Retry): Promise<boolean> {
  if (rule.recoveryScript === null) return true
  const { actions, hears } = circumstances
  const exitCode = await actions.runCommand(rule.recoveryScript, {
    environment: environmentOf(circumstances, attempt),
    stdout: stdioOf(attempt, 'o'),
    stderr: stdioOf(attempt, 'e'),
  })
  if (exitCode !== 0)
    hears.trouble(`the recovery script of ${attempt.stored.job.name} exited with code ${exitCode}`)
  return exitCode === 0
}

const environmentOf = (
  { environment, workflow }: Circumstances,
  { stored, identity, start }: Attempt,
): Record<string, string | undefined> =>
  jobEnvironment(environment, workflow, stored.job, identity, start.gpus)
