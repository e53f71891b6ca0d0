import { specSince } from '../../service/mended-spec.ts'
import { wasSent, type SpecFile } from '../../service/spec-file.ts'
import { UserError } from '../../service/user-error.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import type { System } from '../../system/system.ts'
import type { specWords } from './run-spec-definition.ts'
import { readSpecFile } from './spec-file.ts'

/**
 * The file that a workflow is to go on with, where that is not what is stored. Neither is taken silently: where they
 * differ in more than their looks, the user has to say which.
 */
export function specToResume(
  system: System,
  ledger: Ledger,
  workflowId: number,
  word: (typeof specWords)[number] | undefined,
): SpecFile | undefined {
  if (word === 'stored') return undefined
  const { path, hasChanged } = specSince(system, ledger, workflowId)
  if (word === 'changed' && wasSent(path))
    throw new UserError(
      `workflow ${workflowId} was sent to a server: there is no file that could have changed`,
      'usage',
    )
  if (word === 'changed') return readSpecFile(system, path)
  if (!hasChanged) return undefined
  throw new UserError(
    `${path} has changed since workflow ${workflowId} was stored. Choose which version to go on with:\n` +
      `  jobmeter run --resume ${workflowId} --use changed   the file as it is now: what changed runs again, with everything that depends on it\n` +
      `  jobmeter run --resume ${workflowId} --use stored    the file as it was stored`,
    'usage',
  )
}
