import type { AlertScope, Severity } from './alert.ts'

/** A rule of alerts as lists show it. */
export interface ListedRule {
  readonly name: string
  readonly says: string
  readonly severity: Severity
  readonly scope: AlertScope
  readonly at: 'look' | 'end'
  readonly metric: string
  readonly condition: string
  readonly threshold: number | null
  readonly forSeconds: number
  readonly clearForSeconds: number
  readonly channels: readonly string[] | null
}
