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
    const { promise, resolve } = Promise.withResolvers<void>()
    clock.after(againSeconds, resolve)
    await promise
  }
}

/**
 * Removes what the client made for a job that was ended before it could start it: nobody would ever start or remove it, not
 * even with `--rm`. A daemon that refuses may be removing it already, or has just started it: who calls asks then what runs.
 */
export async function removeUnstarted(api: EngineApi, label: string): Promise<void> {
  const found = await api.unstarted(label)
  if (found.kind === 'ok') for (const id of found.value) await api.remove(id)
}
