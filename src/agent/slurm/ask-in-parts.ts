import type { Reading } from '../../model/reading.ts'
import type { Clock } from '../../system/system.ts'

/** Enough to find the one bad id of 200. */
const mostCommands = 20
/** A command that is refused for an id ends at once. One that takes longer has found nobody to ask. */
const longestSeconds = 5

/**
 * What a command prints of these ids. Slurm refuses a command as a whole for one id that it does not like: then the command
 * is run for each half, so that this id costs the others nothing.
 */
export async function askInParts(
  ids: readonly string[],
  ask: (ids: readonly string[]) => Promise<Reading<string>>,
  clock: Pick<Clock, 'monotonicSeconds'>,
): Promise<string[]> {
  const texts: string[] = []
  const parts = [ids]
  const until = clock.monotonicSeconds() + longestSeconds
  for (let commands = 0; commands < mostCommands; commands++) {
    const part = parts.shift()
    if (part === undefined) break
    const told = await ask(part)
    if (told.kind === 'ok') texts.push(told.value)
    if (told.kind === 'unavailable' || clock.monotonicSeconds() > until) break
    if (told.kind === 'ok' || part.length === 1) continue
    const half = part.length >> 1
    parts.push(part.slice(0, half), part.slice(half))
  }
  return texts
}
