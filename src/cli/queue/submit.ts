import { saysEndedLeft } from '../../model/outcome.ts'
import { queueJobJson, queueJobText } from '../../render/queue/queue-job.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { printable } from '../../render/text/printable.ts'
import { whyNot } from '../../model/reading.ts'
import { followLogs } from '../../service/queue/follow-logs.ts'
import { withQueue } from '../../service/queue/open-queue.ts'
import { stuckJobs, stuckWarnings, tellWhatIsStuck } from '../../service/queue/stuck-jobs.ts'
import { submissionOf, type WantedJob } from '../../service/queue/submission.ts'
import { addressAsked } from './address.ts'
import { waitForJobs } from '../../service/queue/wait-for-jobs.ts'
import { UserError } from '../../service/user-error.ts'
import { findJob } from '../../store/postgres/queue/jobs.ts'
import type { TeamQueue } from '../../store/postgres/queue/team-queue.ts'
import { givenWords } from '../../system/given.ts'
import { realSystem } from '../../system/real.ts'
import { hasWaitingInput } from '../../system/waiting-input.ts'
import type { System } from '../../system/system.ts'
import { commandAction } from '../command/action.ts'
import type { Console } from '../terminal/console.ts'
import { linesOf } from './lines-of.ts'
import { printPieces } from './print-pieces.ts'
import { sayHowToGoOn } from './say-how-to-go-on.ts'
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
      lines === undefined
        ? [exactCommand(command)]
        : linesOf(lines).map((line) => ['sh', '-c', line])
    return withQueue(addressAsked(options.db), async (queue) => {
      const { after } = options
      const before = after === undefined ? null : (await findJob(queue.database, after)).id
      const wanted = commands.map((words) => wantedJob(words, options, before))
      return submitWanted(realSystem({ ownsProcess: false }), queue, wanted, options, console)
    })
  },
)

/** Never another one than was asked for: it might do harm. */
function exactCommand(command: readonly string[]): readonly string[] {
  const exact = givenWords(command)
  if (exact.kind === 'ok') return exact.value
  throw new UserError(
    `the command has words that are not UTF-8, which cannot be passed on: ${whyNot(exact)}`,
    'usage',
  )
}

interface SubmitOptions {
  readonly wait: boolean
  readonly format: 'table' | 'json'
  readonly db: string | undefined
  readonly 'each-line'?: string | undefined
}

/** More of them are not looked at one by one to see whether a worker accepts them: those of one submission are mostly alike. */
const mostLookedAt = 1_000

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
    const stuck = await stuckJobs(queue, ids.slice(0, mostLookedAt))
    const warnings = stuckWarnings(stuck, ids.length)
    if (options.format === 'json') console.print(`${jsonText({ ids, warnings }, 2)}\n`)
    else console.printAll(ids.map((id) => `${id}\n`))
    for (const warning of warnings) console.complain(printable(warning))
    return 0
  }
  if (options['each-line'] === undefined && hasWaitingInput())
    console.complain(
      'standard input is not passed to jobs in the queue (< /dev/null: none is meant)',
    )
  sayHowToGoOn(system, ids, options.db, console)
  const [only, another] = ids
  const tell = (warning: string): void => console.complain(printable(warning))
  const stopTelling = tellWhatIsStuck(queue, system.clock, ids, tell)
  if (only !== undefined && another === undefined && options.format !== 'json')
    await printOutput(queue, system, only, console)
  const waits = { clock: system.clock, note: tell }
  const jobs = await waitForJobs(queue, ids, waits).finally(stopTelling)
  if (options.format === 'json') console.print(`${jsonText(jobs.map(queueJobJson), 2)}\n`)
  else
    for (const job of jobs)
      if (job.state !== 'success' || saysEndedLeft(job.reason)) console.note(queueJobText(job))
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
  await printPieces(followLogs(queue, system.clock, question), console, { isStderrApart: true })
}
