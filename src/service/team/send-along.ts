import type { System } from '../../system/system.ts'
import { usualConfigPath } from '../config-path.ts'
import type { SendCompanion } from './send-companion.ts'

interface SentAlong {
  /** The team that is worked for, where that need not be the one that the ledger has joined. */
  readonly team?: string | undefined
  /** What an agent keeps. */
  readonly nodeDatabase?: string
}

/** How often whoever runs for long looks whether a team was joined. */
const lookSeconds = 10

/** What sends a ledger beside a workflow; undefined, at the price of one look, where there is no team. */
export async function companionFor(
  system: System,
  ledger: string,
  sent: SentAlong = {},
): Promise<SendCompanion | undefined> {
  return hasTeam(system, sent) ? makeCompanion(system, ledger, sent) : undefined
}

/**
 * Sends a ledger, and what an agent keeps, for as long as somebody runs, from the moment on when there is a team. The
 * answer ends that: what is left is sent first.
 */
export function sendAlong(system: System, ledger: string, sent: SentAlong): () => void {
  let companion: SendCompanion | undefined
  let isOver = false
  let cancel = (): void => {}
  const look = async (): Promise<void> => {
    if (hasTeam(system, sent)) companion ??= await makeCompanion(system, ledger, sent)
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

const hasTeam = (system: System, { team }: SentAlong): boolean =>
  team !== undefined || !system.files.isMissing(usualConfigPath(system, process.env, 'team.json'))

async function makeCompanion(
  system: System,
  ledger: string,
  { team, nodeDatabase }: SentAlong,
): Promise<SendCompanion> {
  const { SendCompanion } = await import('./send-companion.ts')
  return new SendCompanion(system, ledger, { team, nodeDatabase })
}
