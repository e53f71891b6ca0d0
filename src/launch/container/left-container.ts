import { endedContainerText, type Outcome, type Straggler } from '../../model/outcome.ts'
import { errorText } from '../../model/record.ts'
import { whyNot } from '../../model/reading.ts'
import type { StragglerPolicy } from '../request.ts'
import type { MeasuredRun } from './measured-run.ts'

/** What became of a container that outlived the command. */
export interface Left {
  readonly stragglers: readonly Straggler[]
  readonly waited: boolean
  /** It was killed because it was left, not because the job was to end. */
  readonly wasKilled: boolean
}

export const nothing: Left = { stragglers: [], waited: false, wasKilled: false }

/** How the client of a container ended. */
export interface ClientEnd {
  /** We ended it. */
  readonly wasEnded: boolean
  /** Somebody else killed it, whatever it was just doing. */
  readonly wasKilled: boolean
  readonly policy: StragglerPolicy
}

/**
 * Of a container that the daemon never told of: where it does not answer, there may be one. undefined where one was found to run
 * after all.
 */
export async function unknownLeft(
  run: MeasuredRun,
  client: ClientEnd,
  label: string,
): Promise<Left | undefined> {
  if (run.end !== undefined) return nothing
  const made = await unstartedLeft(run, client, label)
  const found = await run.findUnheard(label)
  if (run.inspected !== undefined) return undefined
  if (made.length > 0) return { ...nothing, stragglers: made }
  const why = found.kind === 'ok' ? run.silence : whyNot(found)
  // A daemon that was never there for us was hardly there for the client either.
  if (why === null || !(client.wasEnded || run.wasStarted || run.wasThere)) return nothing
  const command = `perhaps a container with the label ${label}; its daemon does not answer (${why})`
  return { ...nothing, stragglers: [{ pid: 0, command }] }
}

/** Those that were made for the job, and that its daemon may still start though the client is gone. */
async function unstartedLeft(
  run: MeasuredRun,
  { wasEnded, wasKilled, policy }: ClientEnd,
  label: string,
): Promise<readonly Straggler[]> {
  const named = (ids: readonly string[], what: string): Straggler[] =>
    ids.map((id) => ({ pid: 0, command: `container ${id.slice(0, 12)}, which ${what}` }))
  if (wasEnded || (wasKilled && policy === 'kill')) {
    const ended = await run.endUnstarted(label)
    return ended.kind === 'ok' ? named(ended.value.left, 'is being started and did not end') : []
  }
  if (!wasKilled) return []
  const made = await run.unstarted(label)
  return made.kind === 'ok' ? named(made.value, 'was made and may still be started') : []
}

/** How a job ended, with what it left. */
export function withLeft(outcome: Outcome, left: Left, name: string): Outcome {
  const stragglers = [...outcome.stragglers, ...left.stragglers]
  if (!left.wasKilled) return { ...outcome, stragglers }
  // Nobody would know otherwise why it ended.
  const why = errorText(outcome)
  const text = endedContainerText(name)
  return { ...outcome, stragglers, reason: why === null ? text : `${why}; ${text}` }
}

export function asLeft({ inspected, silence }: MeasuredRun, further = ''): Straggler {
  const { pid, name = '', image = '' } = inspected ?? {}
  const doubt = silence === null ? '' : `; its daemon does not answer (${silence})`
  return { pid: pid ?? 0, command: `container ${name} of ${image}${further}${doubt}` }
}
