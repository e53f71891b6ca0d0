import type { Policy } from '../../model/policy.ts'
import { readChecked, type Checked } from '../../workflow/spec/read-checked.ts'
import { policyFile, type WrittenPolicies } from './definition.ts'
import { resolvePolicies } from './resolve-policies.ts'

/** Who gets reports of violations. */
export interface PolicyTelling {
  /** The alert file with the channels; null: nothing is reported. */
  readonly alerts: string | null
  /** Channels for administrators; null for all that are not for users. */
  readonly administrators: readonly string[] | null
  /** Channels by which the user who breaks a policy gets the report. */
  readonly users: readonly string[]
  readonly tellsResolved: boolean
}

export interface PolicyConfig {
  readonly policies: readonly Policy[]
  readonly telling: PolicyTelling
}

/** Reads policies.yaml. What is wrong is said all at once, each with its line. */
export const readPolicies = (
  text: string,
  fileName: string,
  wholePath: (path: string) => string,
): Checked<PolicyConfig> =>
  readChecked(text, fileName, policyFile, {
    expected: '"policies", "tell" or "exempt"',
    make: (file, problems) => ({
      policies: resolvePolicies(file, problems),
      telling: tellingOf(file, wholePath),
    }),
  })

function tellingOf(
  { alerts, tell = {} }: WrittenPolicies,
  wholePath: (path: string) => string,
): PolicyTelling {
  return {
    alerts: alerts === undefined ? null : wholePath(alerts),
    administrators: tell.administrators ?? null,
    users: tell.users ?? [],
    tellsResolved: tell.resolved ?? false,
  }
}
