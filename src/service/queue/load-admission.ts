import type { System } from '../../system/system.ts'
import type { WorkerRules } from '../../workflow/worker-rules/read-worker-rules.ts'
import { configPath, type Environment } from '../config-path.ts'
import { withoutCredentials } from '../team/without-credentials.ts'
import { Admission } from './admission.ts'
import { settingsError, settingsText } from '../settings-file.ts'
import { loadOwnTools } from './tool-job.ts'

/** What a worker accepts: as its file says, else jobs of its own user, by the name that the queue knows. */
export async function loadAdmission(
  system: System,
  user: string,
  named: string | undefined,
  environment: Environment,
): Promise<Admission> {
  const rules = await loadRules(system, user, named, environment)
  const tools = rules.limitsTools ? await loadOwnTools(system, environment) : new Map()
  return new Admission(system, rules, tools, withoutCredentials(environment))
}

async function loadRules(
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
