import type { System } from '../../system/system.ts'
import { usualConfigPath } from '../config-path.ts'
import type { SendCompanion } from './send-companion.ts'

/** How often whoever runs for long looks whether a team was joined. */
const lookSeconds = 10

/** What sends a ledger beside a workflow; undefined, at the price of one look, where nobody has joined a team. */
export async function companionFor(
  system: System,
  ledger: string,
): Promise<SendCompanion | undefined> {
  return hasTeams(system) ? makeCompanion(system, ledger) : undefined
}

/**
 * Sends a ledger, and what an agent keeps, for as long as somebody runs, from the moment on when the ledger joins a team. The
 * answer ends that: what is left is sent first.
 */
export function sendAlong(system: System, ledger: string, nodeDatabase?: string): () => void {
  let companion: SendCompanion | undefined
  let isOver = false
  let cancel = (): void => {}
  const look = async (): Promise<void> => {
    if (hasTeams(system)) companion ??= await makeCompanion(system, ledger, nodeDatabase)
    if (isOver) return
    companion?.keepSending()
    cancel = system.clock.after(lookSeconds, () => void look())
  }
  void look()
  return () => {
    isOver = true
    cancel()
    companion?.stop()
  }
}

const hasTeams = (system: System): boolean =>
  !system.files.isMissing(usualConfigPath(system, process.env, 'team.json'))

async function makeCompanion(
  system: System,
  ledger: string,
  nodeDatabase?: string,
): Promise<SendCompanion> {
  const { SendCompanion } = await import('./send-companion.ts')
  return new SendCompanion(system, ledger, nodeDatabase)
}
