import { dirname, resolve } from 'node:path'
import type { PolicyTelling } from '../../alert/policies/read-policies.ts'
import type { Policy } from '../../model/policy.ts'
import type { System } from '../../system/system.ts'
import { suggestionFor } from '../../workflow/spec/problem.ts'
import { loadAlertFile, type AlertFile } from '../alerts/alert-file.ts'
import { settingsError, settingsText } from '../settings-file.ts'
import { UserError } from '../user-error.ts'

/** Where an administrator writes policies if nobody says otherwise. */
const usualPolicyPath = '/etc/jobmeter/policies.yaml'

export interface PolicyFile {
  /** Null: there is no file, and the shipped policies apply. */
  readonly path: string | null
  readonly policies: readonly Policy[]
  readonly telling: PolicyTelling
}

const nobody: PolicyTelling = {
  alerts: null,
  administrators: null,
  users: [],
  tellsResolved: false,
}

/** The policies of the file that is named, else of the usual one, else the shipped ones. */
export async function loadPolicies(system: System, named: string | undefined): Promise<PolicyFile> {
  if (named === undefined && system.files.isMissing(usualPolicyPath)) {
    const { shippedAsPolicies } = await import('../../alert/policies/resolve-policies.ts')
    return { path: null, policies: shippedAsPolicies(), telling: nobody }
  }
  const path = resolve(named ?? usualPolicyPath)
  const text = settingsText(system, path)
  // What reads YAML takes memory for as long as the agent lives: it is loaded only if there is a file.
  const { readPolicies } = await import('../../alert/policies/read-policies.ts')
  const read = readPolicies(text, named ?? path, (written) => resolve(dirname(path), written))
  if (read.kind !== 'ok') throw settingsError('policy file', read.errors)
  return { path, ...read.value }
}

/** The channels by which violations are reported; null if they are not. */
export async function loadTelling(
  system: System,
  { telling, policies }: PolicyFile,
): Promise<AlertFile | null> {
  if (telling.alerts === null) return null
  const file = await loadAlertFile(system, telling.alerts)
  const names = file.channels.map(({ name }) => name)
  const wanted = [
    ...(telling.administrators ?? []),
    ...telling.users,
    ...policies.flatMap(({ channels }) => channels ?? []),
  ]
  const unknown = wanted.find((name) => !names.includes(name))
  if (unknown === undefined) return file
  const suggestion = suggestionFor(unknown, names)
  throw new UserError(
    `there is no channel named ${unknown} in ${telling.alerts}${suggestion === null ? '' : `. ${suggestion}`}`,
    'usage',
  )
}
