import { isOver } from '../../model/queue.ts'
import { queueJobJson, queueJobText } from '../../render/queue/queue-job.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { followLogs } from '../../service/queue/follow-logs.ts'
import { withQueue } from '../../service/queue/open-queue.ts'
import { submissionOf, type WantedJob } from '../../service/queue/submission.ts'
import { addressAsked } from './address.ts'
import { waitForJobs } from '../../service/queue/wait-for-jobs.ts'
import { UserError } from '../../service/user-error.ts'
import { findJob } from '../../store/postgres/queue/jobs.ts'
import type { TeamQueue } from '../../store/postgres/queue/team-queue.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import { commandAction } from '../command/action.ts'
import type { Console } from '../terminal/console.ts'
import { linesOf } from './lines-of.ts'
import { submitDefinition } from './submit-definition.ts'
import { exitCodeOfJobs } from './wait.ts'
import { wantedJob } from './wanted-job.ts'

export const execute = commandAction(
  submitDefinition,
  ({ options, arguments: { command }, console }) => {
    const lines = options['each-line']
    if ((lines === undefined) === (command.length === 0))
      throw new UserError(
        'give a command after --, or --each-line FILE. Example: jobmeter submit -- make bench',
        'usage',
      )
    const commands =
      lines === undefined ? [command] : linesOf(lines).map((line) => ['sh', '-c', line])
    return withQueue(addressAsked(options.db), async (queue) => {
      const { after } = options
      const before = after === undefined ? null : (await findJob(queue.database, after)).id
      const wanted = commands.map((words) => wantedJob(words, options, before))
      return submitWanted(realSystem({ ownsProcess: false }), queue, wanted, options, console)
    })
  },
)

interface SubmitOptions {
  readonly wait: boolean
  readonly format: 'table' | 'json'
}

/** Submits these jobs, prints their ids, and waits for them where that is asked for; the answer is the exit code. */
export async function submitWanted(
  system: System,
  queue: TeamQueue,
  wanted: readonly WantedJob[],
  options: SubmitOptions,
  console: Console,
): Promise<number> {
  const submissions = wanted.map((each) => submissionOf(system, each))
  await queue.submit(submissions)
  const ids = submissions.map(({ id }) => id)
  if (!options.wait) {
    if (options.format === 'json') console.print(`${jsonText({ ids }, 2)}\n`)
    else console.printAll(ids.map((id) => `${id}\n`))
    return 0
  }
  const [only, another] = ids
  if (only !== undefined && another === undefined && options.format !== 'json')
    await printOutput(queue, system, only, console)
  const jobs = await waitForJobs(queue, system.clock, ids)
  if (options.format === 'json') console.print(`${jsonText(jobs.map(queueJobJson), 2)}\n`)
  else
    for (const job of jobs)
      if (job.state !== 'success' || !isOver(job.state)) console.note(queueJobText(job))
  return exitCodeOfJobs(jobs)
}

async function printOutput(
  queue: TeamQueue,
  system: System,
  jobId: string,
  console: Console,
): Promise<void> {
  const question = {
    jobId,
    streams: ['stdout', 'stderr'] as const,
    follow: true,
    attempt: undefined,
  }
  for await (const { stream, bytes } of followLogs(queue, system.clock, question))
    if (stream === 'stdout') console.printBytes(bytes)
    else console.note(new TextDecoder().decode(bytes))
}
