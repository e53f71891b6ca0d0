import type { Workflow, WorkflowJob } from '../../model/workflow.ts'
import { stdioOf, type Attempt } from './attempt.ts'
import { containerWords, type ContainerPlace } from './container-words.ts'
import type { AttemptOrder } from './executor.ts'
import { jobEnvironment } from './job-environment.ts'
import type { RunnerTools } from './runner-tools.ts'
import { commandWords } from './shell-command.ts'

/** Jobs that ask for this long get a cgroup of their own, for pressure and the kernel's own account. */
const longJobSeconds = 30

/** How to start an attempt: as its job, its workflow and the run want it. */
export function attemptOrder(
  { environment }: RunnerTools,
  workflow: Workflow,
  attempt: Attempt,
  given: Pick<AttemptOrder, 'graceSeconds' | 'besideCgroups'>,
): AttemptOrder {
  const { job } = attempt.stored
  const { enforce } = workflow.monitor
  return {
    taskId: attempt.record.taskId,
    node: attempt.record.machine.host,
    requirements: job.requirements,
    recordedStart: attempt.record.startedAt,
    command: attempt.record.job.command,
    environment: jobEnvironment(environment, workflow, job, attempt.identity, attempt.start.gpus),
    workingDirectory: attempt.record.job.workingDirectory,
    group: 'own',
    stdin: '/dev/null',
    stdout: stdioOf(attempt, 'o'),
    stderr: stdioOf(attempt, 'e'),
    ownLogs: true,
    intervalSeconds: attempt.record.intervalSeconds,
    timeoutSeconds: enforce.includes('runtime') ? job.requirements.runtimeSeconds : null,
    memoryLimitBytes: memoryLimitOf(workflow, job),
    stragglers: 'kill',
    ownCgroup: getsCgroup(workflow, job),
    ...given,
  }
}

/** Whether any job of it does. */
export const someGetCgroups = (workflow: Workflow): boolean =>
  workflow.jobs.some((job) => getsCgroup(workflow, job))

/** A limit needs one; else it is for jobs that say they take long enough to repay its cost. */
function getsCgroup(workflow: Workflow, job: WorkflowJob): boolean {
  const { runtimeSeconds } = job.requirements
  return memoryLimitOf(workflow, job) !== null || (runtimeSeconds ?? 0) >= longJobSeconds
}

const memoryLimitOf = ({ monitor }: Workflow, { requirements }: WorkflowJob): number | null =>
  monitor.enforce.includes('memory') ? requirements.memoryBytes : null

/** What a job's line of shell runs as. */
export function wordsOfJob(
  workflow: Workflow,
  job: WorkflowJob,
  shell: string,
  place: ContainerPlace,
): readonly string[] {
  const { command, invocationScript, container } = job
  const line = invocationScript === null ? command : `${invocationScript} ${command}`
  if (container !== undefined) {
    const variables = Object.keys({ ...workflow.environment, ...job.environment })
    return containerWords(container, line, variables, place)
  }
  // A path of the job's own is for a shell to search: what starts programs here knows only the runner's.
  const ownPath = 'PATH' in job.environment || 'PATH' in workflow.environment
  return ownPath ? [shell, '-c', line] : commandWords(line, shell)
}
