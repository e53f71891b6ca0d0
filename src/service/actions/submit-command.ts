import type { JobRecord } from '../../model/record.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { System } from '../../system/system.ts'
import { UserError } from '../user-error.ts'
import { startProgram, type StartedProgram, type StartPlace } from './start-program.ts'

/** A command that somebody wants run, and what it asks for. */
export interface SubmittedCommand {
  /** The program and its arguments, as they are: no shell takes them apart. */
  readonly command: readonly string[]
  readonly name?: string
  readonly tags?: readonly string[]
  readonly cpus?: number
  readonly memoryBytes?: number
  readonly gpus?: number
  readonly runtimeSeconds?: number
  readonly timeoutSeconds?: number
}

export interface Submission extends StartedProgram {
  /** The record has this tag, and the files with its output have this name. */
  readonly tag: string
}

const idDigits = 12

/** Has a command run by a `jobmeter run` of its own. Its record is in the ledger soon: see `submittedJob`. */
export function submitCommand(
  system: System,
  place: StartPlace,
  wanted: SubmittedCommand,
): Submission {
  const { command, name, tags = [], cpus, memoryBytes, gpus, runtimeSeconds } = wanted
  if (command.length === 0 || command[0] === '') throw new UserError('command: is empty', 'usage')
  const words = [...command, ...tags, ...(name === undefined ? [] : [name])]
  if (words.some((word) => word.includes('\0')))
    throw new UserError('command: a NUL character cannot be passed on', 'usage')
  const id = system.randomId().slice(0, idDigits)
  const tag = `submission:${id}`
  const options = {
    db: place.ledger,
    name,
    cpus,
    memory: inUnit(memoryBytes, 'B'),
    gpus,
    runtime: inUnit(runtimeSeconds, 's'),
    timeout: inUnit(wanted.timeoutSeconds, 's'),
  }
  const argv = [
    'run',
    '--quiet',
    ...Object.entries(options).flatMap(([key, value]) =>
      value === undefined ? [] : [`--${key}=${value}`],
    ),
    ...[...tags, tag].map((each) => `--tag=${each}`),
    '--',
    ...command,
  ]
  return { tag, ...startProgram(system, place, id, argv) }
}

const inUnit = (amount: number | undefined, unit: string): string | undefined =>
  amount === undefined ? undefined : `${amount}${unit}`

/** What is new comes into the ledger once a second. */
const lookSeconds = 0.5

/** The record of what was submitted, as soon as there is one; undefined if there is none in time. */
export async function submittedJob(
  { clock }: System,
  ask: <T>(question: (reader: LedgerReader) => Promise<T>) => Promise<T>,
  { tag }: Pick<Submission, 'tag'>,
  withinSeconds: number,
): Promise<JobRecord | undefined> {
  const until = clock.monotonicSeconds() + withinSeconds
  for (;;) {
    const [found] = await ask(({ jobs }) => jobs.find({ tag, limit: 1 }))
    if (found !== undefined || clock.monotonicSeconds() >= until) return found
    await new Promise<void>((resolve) => clock.after(lookSeconds, resolve))
  }
}
