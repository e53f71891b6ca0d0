import type { NodeJob } from '../../model/node-round.ts'
import type { JobPast, JobPeaks, JudgedRound } from '../../model/past-round.ts'
import type { Policy } from '../../model/policy.ts'
import type { EndedViolation, PolicyFinding, PolicySubject } from '../../model/violation.ts'
import { figuresNow, jobFigures } from './figures.ts'
import type { FigureName, Figures } from './figure-list.ts'
import { JobLife } from './job-life.ts'
import { addJob, emptySum, type RoundSum } from './round-sum.ts'
import { roomOf, whySuppressed, type NodeRoom } from './spare-room.ts'
import { isExempt, verdictOn } from './verdict.ts'
import { WatchedSubject } from './watched-subject.ts'

/** What a round tells. */
export interface RoundJudgement {
  /** All that is wrong now, or would be if others needed the room. */
  readonly findings: readonly PolicyFinding[]
  readonly ended: readonly EndedViolation[]
  /** Policies that nobody could be judged by, with the figures that are missing. */
  readonly unmeasured: ReadonlyMap<string, readonly FigureName[]>
}

/** One job or user, with what is known of it in a round. */
interface Judged {
  readonly key: string
  readonly subject: PolicySubject
  readonly sum: RoundSum
  readonly figures: Figures
}

/** Judges the rounds of one host, one after another. It has no clock: all time is that of the rounds. */
export class Judge {
  #policies: readonly Policy[]
  readonly #pasts: (job: NodeJob, epoch: string) => JobPast | undefined
  #lives = new Map<string, JobLife>()
  readonly #watched = new Map<string, WatchedSubject>()

  /** `pasts`: what a job did before the first round that is judged, if anything is known of that. */
  constructor(
    policies: readonly Policy[],
    pasts: (job: NodeJob, epoch: string) => JobPast | undefined = () => undefined,
  ) {
    this.#policies = policies
    this.#pasts = pasts
  }

  /** Judges by these from now on; what is wrong by one that is the same as before goes on. */
  change(policies: readonly Policy[]): void {
    const before = new Map(this.#policies.map((policy) => [policy.name, JSON.stringify(policy)]))
    const kept = new Set(
      policies
        .filter((policy) => before.get(policy.name) === JSON.stringify(policy))
        .map(({ name }) => name),
    )
    for (const [key, { policy }] of this.#watched)
      if (!kept.has(policy.name)) this.#watched.delete(key)
    this.#policies = policies
  }

  /** Goes on with what was wrong when the judge before this one was stopped. */
  resume(policy: Policy, subject: PolicySubject, sinceMs: number): void {
    const key = `${policy.name}\0${subjectKey(subject)}`
    this.#watched.set(key, WatchedSubject.open(policy, subject, sinceMs))
  }

  round(round: JudgedRound, peaks: readonly JobPeaks[] = []): RoundJudgement {
    const { jobs, users, room } = this.#subjectsOf(round, peaks)
    const toMs = Math.round(round.at * 1e3)
    const stretch = { fromMs: toMs - Math.round(round.seconds * 1e3), toMs }
    const findings: PolicyFinding[] = []
    const ended: EndedViolation[] = []
    const unmeasured = new Map<string, readonly FigureName[]>()
    const there = new Set<string>()
    for (const policy of this.#policies) {
      if (policy.scope === 'history') continue
      let missing: readonly FigureName[] = []
      let judged = 0
      for (const one of policy.scope === 'job' ? jobs : users) {
        if (isExempt(policy.exempt, one.subject)) continue
        const verdict = verdictOn(policy, one.figures)
        if (verdict.holds === null) missing = verdict.missing
        else judged += 1
        const key = `${policy.name}\0${one.key}`
        let watched = this.#watched.get(key)
        if (watched === undefined) {
          if (verdict.holds !== true) continue
          watched = new WatchedSubject(policy, one.subject)
          this.#watched.set(key, watched)
        }
        there.add(key)
        const suppressedBecause =
          verdict.holds === true ? whySuppressed(policy.spare, room, one.sum) : null
        const { finding, end } = watched.add(verdict.holds, suppressedBecause, one.figures, stretch)
        if (finding !== null) findings.push(finding)
        if (end !== null) ended.push({ policy: policy.name, subject: one.subject, because: end })
        if (watched.isIdle) this.#watched.delete(key)
      }
      if (judged === 0 && missing.length > 0) unmeasured.set(policy.name, missing)
    }
    ended.push(...this.#endAbsent(there))
    return { findings, ended, unmeasured }
  }

  /** Who is not there any more does no harm. */
  #endAbsent(there: ReadonlySet<string>): EndedViolation[] {
    const ended: EndedViolation[] = []
    for (const [key, { isOpen, policy, subject }] of this.#watched) {
      if (there.has(key)) continue
      this.#watched.delete(key)
      const because = subject.job === null ? 'the user has no processes left' : 'the job is over'
      if (isOpen) ended.push({ policy: policy.name, subject, because })
    }
    return ended
  }

  #subjectsOf(
    round: JudgedRound,
    peaks: readonly JobPeaks[],
  ): { readonly jobs: Judged[]; readonly users: Judged[]; readonly room: NodeRoom } {
    const { node, seconds, epoch, host, at } = round
    const all = emptySum()
    const lives = new Map<string, JobLife>()
    const byUser = new Map<string, RoundSum>()
    const jobs: Judged[] = []
    for (const [index, job] of round.jobs.entries()) {
      if (job.kind === 'unattributed') continue
      addJob(all, job, node, seconds)
      let ofUser = byUser.get(job.user)
      if (ofUser === undefined) byUser.set(job.user, (ofUser = emptySum()))
      addJob(ofUser, job, node, seconds)
      if (job.kind === 'rolled-up') continue
      const sum = emptySum()
      addJob(sum, job, node, seconds)
      const subject = subjectOfJob(job, epoch, host)
      const key = subjectKey(subject)
      const life = this.#lives.get(key) ?? new JobLife(at - seconds, this.#pasts(job, epoch))
      life.add(sum, seconds, peaks[index])
      lives.set(key, life)
      jobs.push({ key, subject, sum, figures: jobFigures(job, sum, life, round) })
    }
    this.#lives = lives
    const users = [...byUser].map(([user, sum]): Judged => {
      const subject = { host, user, account: null, job: null }
      return { key: subjectKey(subject), subject, sum, figures: figuresNow(sum, round) }
    })
    return { jobs, users, room: roomOf(node, all, seconds) }
  }
}

const subjectOfJob = (job: NodeJob, epoch: string, host: string): PolicySubject => {
  const { kind, id, command, user, account } = job
  return { host, user, account, job: { epoch, kind, id, command } }
}

/** The same for the same job or user. Ids are anybody's to choose: a job is one of its user. */
export const subjectKey = ({ job, user }: PolicySubject): string =>
  job === null ? `user\0${user}` : `job\0${job.epoch}\0${job.kind}\0${job.id}\0${user}`
