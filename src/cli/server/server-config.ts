import { emptyServerConfig, type ServerConfig } from '../../server/config/server-config.ts'
import { configPath } from '../../service/config-path.ts'
import { settingsError, settingsText } from '../../service/settings-file.ts'
import { UserError } from '../../service/user-error.ts'
import { whyOthersWrote } from '../../system/secret-file.ts'
import type { System } from '../../system/system.ts'

/** What the configuration says: the file that is named, else the user's own if there is one. */
export async function loadServerConfig(
  system: System,
  named: string | undefined,
): Promise<ServerConfig> {
  const path = configPath(system, named, process.env, 'server.yaml')
  if (path === undefined) return emptyServerConfig
  // It may allow people to run what they like as us.
  const foreign = whyOthersWrote(path)
  if (foreign !== undefined) throw new UserError(foreign, 'usage')
  const { readServerConfig } = await import('../../server/config/read-server-config.ts')
  const read = readServerConfig(settingsText(system, path), path)
  if (read.kind === 'ok') return read.value
  throw settingsError('configuration', read.errors)
}
