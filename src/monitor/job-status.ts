import { outcomeStatuses, type Outcome, type OutcomeStatus } from '../model/outcome.ts'
import { didYouMean } from '../model/suggest.ts'
import { signalName } from '../system/signals.ts'
import { MonitorError } from './monitor-error.ts'

/**
 * What else is known of how a job ended.
 *
 * @see JobRequest
 */
export interface JobStatusDetails {
  /** The exit code; -9 stands for SIGKILL, as Python writes it. */
  readonly returncode?: number | null | undefined
  /** A message, the output of a program, or what was thrown. */
  readonly error?: unknown
}

/** A log of megabytes in each record would bury the history. Its end tells most. */
const mostErrorLength = 10_000

/** How a job ended, as records have it. */
export function outcomeOf(status: OutcomeStatus, details: JobStatusDetails = {}): Outcome {
  if (!outcomeStatuses.includes(status))
    throw new MonitorError(
      'not-valid',
      `"${status}" is not a status.${didYouMean(status, outcomeStatuses)} Use one of ${outcomeStatuses.join(', ')}`,
    )
  const { exitCode, signal, beyond } = readReturncode(details.returncode ?? null)
  const error =
    details.error === null || details.error === undefined
      ? null
      : shortened(errorWords(details.error))
  const reasons = [beyond, error].filter((reason) => reason !== null)
  return {
    status,
    exitCode,
    signal,
    reason: reasons.length === 0 ? null : reasons.join(': '),
    stragglers: [],
  }
}

/** `TypeError: x is not a function`, or the text itself. */
function errorWords(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  } catch {
    return 'a value was thrown that cannot be written as text'
  }
}

interface Returned {
  readonly exitCode: number | null
  readonly signal: string | null
  /** A code that no process of this kind of system can have, in words. */
  readonly beyond: string | null
}

function readReturncode(returncode: number | null): Returned {
  if (returncode === null) return { exitCode: null, signal: null, beyond: null }
  if (!Number.isInteger(returncode))
    throw new MonitorError(
      'not-valid',
      `returncode ${returncode} is not a whole number. Leave it out where there is none`,
    )
  if (returncode >= 0 && returncode <= 255)
    return { exitCode: returncode, signal: null, beyond: null }
  const signal = signalName(-returncode)
  return signal === undefined
    ? { exitCode: null, signal: null, beyond: `returned ${returncode}` }
    : { exitCode: 128 - returncode, signal, beyond: null }
}

function shortened(text: string): string {
  const left = text.length - mostErrorLength
  return left <= 0 ? text : `(${left} characters left out) ${text.slice(-mostErrorLength)}`
}
