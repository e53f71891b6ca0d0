import type { System } from '../../system/system.ts'
import { usualConfigPath } from '../config-path.ts'
import type { SendCompanion } from './send-companion.ts'

interface SentAlong {
  /** The team that is worked for, where that need not be the one that the ledger has joined. */
  readonly team?: string | undefined
  /** What an agent keeps. */
  readonly nodeDatabase?: string
}

/** What sends a ledger beside those who write to it; undefined, at the price of one look, where there is no team. */
export async function companionFor(
  system: System,
  ledger: string,
  { team, nodeDatabase }: SentAlong = {},
): Promise<SendCompanion | undefined> {
  const isAlone = system.files.isMissing(usualConfigPath(system, process.env, 'team.json'))
  if (team === undefined && isAlone) return undefined
  const { SendCompanion } = await import('./send-companion.ts')
  return new SendCompanion(system, ledger, { team, nodeDatabase })
}
