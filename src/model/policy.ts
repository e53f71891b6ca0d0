import type { Severity } from './alert.ts'
import type { JobKind } from './node-round.ts'

/** What a policy judges: each job, all that a user does on a host at a time, or a user's jobs of the last days. */
export const policyScopes = ['job', 'user', 'history'] as const
export type PolicyScope = (typeof policyScopes)[number]

/** Of what there must be too little for anybody to be harmed. `all`: of any of them. */
export const spareResources = ['cores', 'memory', 'gpus', 'all'] as const
export type SpareResource = (typeof spareResources)[number]

/** A figure and what it must be; several for one figure are met together. */
export interface PolicyCondition {
  readonly figure: string
  readonly is: 'at least' | 'at most' | 'above' | 'below'
  readonly threshold: number
}

/** While so much is neither used nor reserved, nobody is harmed. */
export interface SpareRoom {
  readonly resource: SpareResource
  /** Of what the subject itself leaves, from 0 to 1. */
  readonly ofRest: number
  /** And of the whole node. */
  readonly ofNode: number
}

export interface Exemptions {
  readonly users: readonly string[]
  readonly commands: readonly string[]
  readonly accounts: readonly string[]
  readonly kinds: readonly JobKind[]
}

/** When a job or user is not fair to the others on a node, and who gets the report. */
export interface Policy {
  readonly name: string
  readonly isEnabled: boolean
  readonly scope: PolicyScope
  readonly severity: Severity
  /** What is wrong, in a few words. */
  readonly says: string
  /** What is judged and why, in plain words. */
  readonly explanation: string
  /** What the user should do. */
  readonly advice: string
  readonly conditions: readonly PolicyCondition[]
  /** How long all of them must hold without a break. */
  readonly forSeconds: number
  /** How far back `history` looks. */
  readonly overSeconds: number
  /** Null: it is wrong on an idle node too. */
  readonly spare: SpareRoom | null
  readonly exempt: Exemptions
  /** The channels that get the report; null for all of them. */
  readonly channels: readonly string[] | null
}
