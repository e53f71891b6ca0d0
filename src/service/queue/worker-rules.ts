import type { System } from '../../system/system.ts'
import type { WorkerRules } from '../../workflow/worker-rules/read-worker-rules.ts'
import { configPath, type Environment } from '../config-path.ts'
import { settingsError, settingsText } from '../settings-file.ts'

/** What a worker accepts: as its file says, else jobs of its own user, by the name that the queue knows. */
export async function loadWorkerRules(
  system: System,
  user: string,
  named: string | undefined,
  environment: Environment,
): Promise<WorkerRules> {
  const { readWorkerRules, usualRules } =
    await import('../../workflow/worker-rules/read-worker-rules.ts')
  const path = configPath(system, named, environment, 'worker.yaml')
  if (path === undefined) return usualRules(user)
  const read = readWorkerRules(settingsText(system, path), path, user)
  if (read.kind === 'ok') return read.value
  throw settingsError('file of the worker', read.errors)
}
