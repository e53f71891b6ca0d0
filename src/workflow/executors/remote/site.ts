import type { AttemptOrder, AttemptResult } from '../../run/executor.ts'
import type { AttemptFolder } from './attempt-folder.ts'
import type { RemoteAttempt } from './read-remote-attempt.ts'
import type { RemoteHandle } from './remote-handle.ts'

/** An attempt whose folder is written, as it is handed over. */
export interface PlacedOrder {
  readonly order: AttemptOrder
  readonly folder: AttemptFolder
}

/** An attempt that was handed over, with what the site needs to find it again. */
export interface SiteTask {
  readonly taskId: string
  /** With what the site answered when it took the attempt, as `site`. */
  readonly handle: RemoteHandle
  readonly folder: AttemptFolder
  readonly attempt: Pick<RemoteAttempt, 'claim' | 'remains'>
}

export type Submission =
  | { readonly kind: 'taken'; readonly site: Readonly<Record<string, unknown>> }
  /** It will not run there; why, for people to read. */
  | { readonly kind: 'refused'; readonly why: string }

/** What a site says of an attempt. */
export type SiteState =
  /** `waits`: it has not begun, for this reason. */
  | { readonly kind: 'alive'; readonly waits?: string }
  /**
   * Nothing of it runs any more. `told` is the end that lies in its folder, if one does; the answer is its result in the light
   * of what the site knows, or why nobody knows how it ended.
   */
  | { readonly kind: 'over'; judge(told: AttemptResult | null): AttemptResult | Gone }

export interface Gone {
  readonly gone: string
}

/** A place where attempts run, each in its folder: a cluster, or other processes of this machine. */
export interface Site {
  /** How long orders are gathered before they are handed over together. */
  readonly gatherSeconds: number
  /** It is asked how attempts stand no more often than this. */
  readonly stateSeconds: number
  /** What it calls over may have an end that takes so long to our side of a shared disk. */
  readonly lagSeconds: number
  /** Whether one that was handed over, and that nobody has begun, begins only if the one that handed it over sees to it. */
  needsUs(handle: RemoteHandle): boolean
  /** Hands these over, in their order; the answer has one entry for each. */
  submit(orders: readonly PlacedOrder[]): Promise<readonly Submission[]>
  /** Has these end. Their folders say so already; the site passes it on faster, or to what has not started. */
  end(tasks: readonly SiteTask[], signal: NodeJS.Signals, request: number): Promise<void>
  /** What is known of these; of those that are left out nothing is. */
  states(tasks: readonly SiteTask[]): Promise<ReadonlyMap<string, SiteState>>
  /** Whether what lies in the folder may not be the whole story: the site may have ended it. */
  isToBeJudged(result: AttemptResult, handle: RemoteHandle): boolean
  close(): void
  /** The run is over, and so is all that was handed over. */
  tidy(): void
}
