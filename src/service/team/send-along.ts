import type { System } from '../../system/system.ts'
import { usualConfigPath } from '../config-path.ts'
import type { SendCompanion } from './send-companion.ts'

/** What sends a ledger, and what an agent keeps, beside those who write to it; undefined, at the price of one look, where nobody has joined a team. */
export async function companionFor(
  system: System,
  ledger: string,
  nodeDatabase?: string,
): Promise<SendCompanion | undefined> {
  if (system.files.isMissing(usualConfigPath(system, process.env, 'team.json'))) return undefined
  const { SendCompanion } = await import('./send-companion.ts')
  return new SendCompanion(system, ledger, nodeDatabase)
}
