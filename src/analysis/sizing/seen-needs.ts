import type { NeedEvidence, SizedAttempt } from './sizing-evidence.ts'

/** What the attempts of jobs that share a request were seen to need of one resource. */
export interface SeenNeeds {
  /** Of attempts that may lower a request: they ended well, and all that they needed was seen. */
  readonly good: readonly number[]
  /** The most of all attempts: the others may raise it. */
  readonly most: number | null
  readonly mostIsLowerBound: boolean
  /** Jobs that ran, but not once so that it counts. */
  readonly jobsWithout: number
  /** Those of them that ended well, though not all that they needed was seen. */
  readonly jobsBounded: number
  readonly hasRun: boolean
}

export function seenNeeds(
  attempts: readonly SizedAttempt[],
  evidenceOf: (attempt: SizedAttempt) => NeedEvidence | null,
  counts: (attempt: SizedAttempt) => boolean,
): SeenNeeds {
  const good: number[] = []
  let highest: NeedEvidence | null = null
  const [ran, proved, bounded] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const attempt of attempts) {
    ran.add(attempt.jobName)
    const evidence = evidenceOf(attempt)
    if (evidence === null) continue
    if (highest === null || evidence.value > highest.value) highest = evidence
    if (!counts(attempt)) continue
    if (evidence.isLowerBound) bounded.add(attempt.jobName)
    else {
      good.push(evidence.value)
      proved.add(attempt.jobName)
    }
  }
  return {
    good,
    most: highest?.value ?? null,
    mostIsLowerBound: highest?.isLowerBound ?? false,
    jobsWithout: ran.size - proved.size,
    jobsBounded: [...bounded].filter((job) => !proved.has(job)).length,
    hasRun: ran.size > 0,
  }
}
