import { maximum, minimum } from '../statistics/statistics.ts'
import type { SeenNeeds } from './seen-needs.ts'

/** What a recommendation rests on; whoever shows it finds the words. */
export type SizingReason =
  | { readonly kind: 'peak'; readonly bytes: number; readonly isLowerBound: boolean }
  | { readonly kind: 'out of memory'; readonly bytes: number }
  | { readonly kind: 'percentile'; readonly seconds: number }
  | { readonly kind: 'longest'; readonly seconds: number }
  | { readonly kind: 'timeout'; readonly seconds: number }
  | { readonly kind: 'parallel'; readonly cores: number; readonly isLowerBound: boolean }
  | { readonly kind: 'unmeasured' }
  | { readonly kind: 'not run' }

/** Why a request stands, or is not made, though less would do by the figures. */
export type KeptBecause =
  | 'no success measured'
  | 'jobs without success'
  | 'only a lower bound'
  | 'small machines'
  | 'short of CPU'

export type Confidence = 'none' | 'low' | 'medium' | 'high'

/** What one request should have been. */
export interface SizingAdvice {
  readonly resourceType: 'CPU' | 'Memory' | 'Runtime'
  readonly unit: 'cores' | 'bytes' | 'seconds'
  readonly requested: number | null
  /** null where nothing is known: then the request is left as it is. */
  readonly recommended: number | null
  readonly reason: SizingReason
  readonly kept: KeptBecause | null
  /** Whether the attempts can show that less will do; without that it may only be raised. */
  readonly mayLower: boolean
  /** Successful attempts with a figure that is no lower bound. */
  readonly attempts: number
  /** The least and the most that those used. */
  readonly least: number | null
  readonly most: number | null
  readonly confidence: Confidence
  /** Nothing better than a lower bound is known of what is needed most: it may still be too little. */
  readonly restsOnLowerBound: boolean
}

/** What is asked for if only this counts, before it is rounded. */
export interface Need {
  readonly need: number
  readonly reason: SizingReason
}

interface Resource extends Pick<SizingAdvice, 'resourceType' | 'unit' | 'requested'> {
  round(need: number): number
}

/** Whether a need is to be asked for, or the request stands. */
export function adviseRequest(
  { round, ...resource }: Resource,
  seen: SeenNeeds,
  found: Need | null,
  doubt: KeptBecause | null = null,
): SizingAdvice {
  const { good } = seen
  const [least, greatest] = [minimum(good) ?? null, maximum(good) ?? null]
  const restsOnLowerBound = seen.mostIsLowerBound && (greatest ?? 0) < (seen.most ?? 0)
  const common = { ...resource, attempts: good.length, least, most: greatest, restsOnLowerBound }
  if (found === null)
    return {
      ...common,
      recommended: null,
      reason: { kind: seen.hasRun ? 'unmeasured' : 'not run' },
      kept: null,
      mayLower: false,
      confidence: 'none',
    }
  const { requested } = resource
  const rounded = round(found.need)
  const against = whyNotLower(seen, doubt)
  // A limit where there was none is less than before.
  const isLess = requested === null || rounded < requested
  const kept = isLess ? against : null
  // What suffices as it is must not be raised only because it is no whole number.
  const suffices = requested !== null && found.need <= requested && rounded > requested
  return {
    ...common,
    recommended: kept !== null || suffices ? requested : rounded,
    reason: found.reason,
    kept,
    mayLower: against === null,
    confidence: restsOnLowerBound ? 'low' : confidenceOf(good.length, least, greatest),
  }
}

function whyNotLower(
  { good, jobsWithout, jobsBounded }: SeenNeeds,
  doubt: KeptBecause | null,
): KeptBecause | null {
  if (jobsWithout === 0 && good.length > 0) return null
  if (doubt !== null) return doubt
  if (jobsBounded === jobsWithout) return 'only a lower bound'
  return good.length === 0 ? 'no success measured' : 'jobs without success'
}

/** By how many attempts there were and how far apart. */
function confidenceOf(attempts: number, least: number | null, most: number | null): Confidence {
  if (attempts < 3 || least === null || most === null) return 'low'
  const spread = most > 0 ? (most - least) / most : 0
  return attempts >= 5 && spread <= 0.25 ? 'high' : 'medium'
}
