import { ok, type Reading } from '../../model/reading.ts'
import type { EngineApi } from '../../sensors/container/engine-api.ts'
import type { System } from '../../system/system.ts'

/** How long a container may take to end after it was killed. */
const endSeconds = 5
const againSeconds = 0.05

/** Kills a container and sees it end; false where it runs on, or nobody can say that it does not. */
export async function endContainer(
  { clock }: Pick<System, 'clock'>,
  api: EngineApi,
  id: string,
): Promise<boolean> {
  const until = clock.monotonicSeconds() + endSeconds
  const killed = await api.kill(id)
  for (;;) {
    const now = await api.inspect(id)
    if (now.kind === 'unavailable' || (now.kind === 'ok' && !now.value.isRunning)) return true
    // Who refuses to kill will not be waited for.
    if (killed.kind !== 'ok' || clock.monotonicSeconds() > until) return false
    await pause(clock)
  }
}

/** How long it may take until it is settled whether a container that was made is started after all. */
const settleSeconds = 10

/** What became of containers that were made and not started. */
export interface EndedUnstarted {
  /** Ids of those that were started after all, and ended. */
  readonly ended: readonly string[]
  /** Ids of those that may still start, or run on. */
  readonly left: readonly string[]
}

/**
 * Removes what the client of a job made and did not start: nobody would ever start or remove it, not even with `--rm`. But the
 * daemon may be starting it just now, though who asked for that is gone: it is asked again until the container is gone, or runs
 * and can be ended.
 */
export async function endUnstarted(
  system: Pick<System, 'clock'>,
  api: EngineApi,
  label: string,
  seconds = settleSeconds,
): Promise<Reading<EndedUnstarted>> {
  const found = await api.unstarted(label)
  if (found.kind !== 'ok') return found
  const [ended, left]: [string[], string[]] = [[], []]
  for (const id of found.value) {
    const became = await removeOrEnd(system, api, id, seconds)
    if (became === 'ended') ended.push(id)
    if (became === 'left') left.push(id)
  }
  return ok({ ended, left })
}

async function removeOrEnd(
  system: Pick<System, 'clock'>,
  api: EngineApi,
  id: string,
  seconds: number,
): Promise<'removed' | 'ended' | 'left'> {
  const { clock } = system
  const until = clock.monotonicSeconds() + seconds
  for (;;) {
    const now = await api.inspect(id)
    if (now.kind === 'unavailable') return 'removed'
    if (now.kind === 'ok' && now.value.isRunning)
      return (await endContainer(system, api, id)) ? 'ended' : 'left'
    if (now.kind === 'ok' && now.value.startedAt !== null) return 'ended'
    if (now.kind === 'ok' && (await api.remove(id)).kind === 'ok') return 'removed'
    if (clock.monotonicSeconds() > until) return 'left'
    await pause(clock)
  }
}

function pause(clock: System['clock']): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  clock.after(againSeconds, resolve)
  return promise
}
