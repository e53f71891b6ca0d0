import type { LateWord, Reservation, Scheduled } from '../../model/node-round.ts'
import { parseRequestMark } from '../../model/request-mark.ts'
import type { System, ToolPlace } from '../../system/system.ts'
import type { CgroupMounts } from '../cgroups/cgroup-mounts.ts'
import { isSlurmCgroup, type JobFacts } from '../jobs/job-tally.ts'
import { SlurmJobs } from '../slurm/slurm-jobs.ts'
import type { SlurmWord } from '../slurm/slurm-word.ts'
import { containerLimits } from './container-limits.ts'

/** What is known of a job from its scheduler, from its container or from jobmeter. */
interface Said {
  readonly account: string | null
  readonly reservation: Reservation | null
  readonly scheduled?: Scheduled
}

/** What became known of a job of a user after its last process had ended. */
export type LateReservation = Omit<LateWord, 'user'> & { readonly uid: number }

/** What the configuration and the node say of reservations. */
export interface ReservationRules {
  /** How many GPUs a job on a node that has some is taken to have asked for; null: nothing is implied. */
  readonly impliedGpus: number | null
  readonly nodeGpus: number
  readonly slurm: ToolPlace
}

/** Limits of containers may be changed, but seldom are. */
const roundsBetween = 30

const nothing: Said = { account: null, reservation: null }

/**
 * What jobs asked for. The source that is closest to the job counts: for a Slurm job Slurm itself; for an attempt what
 * jobmeter was asked for, then the limits of its container; for a container its limits; and only then what the
 * configuration implies.
 */
export class Reservations {
  readonly #mounts: CgroupMounts
  readonly #slurm: SlurmJobs
  /** As their users' environments have them. */
  readonly #slurmNames = new Map<string, { id: string; uid: number; name: string }>()
  readonly #limits = new WeakMap<JobFacts, { limits: Reservation | null; readIn: number }>()
  #round = 0

  constructor(system: System, mounts: CgroupMounts) {
    this.#mounts = mounts
    this.#slurm = new SlurmJobs(system)
  }

  of(facts: JobFacts, rules: ReservationRules): Said {
    if (facts.kind === 'slurm') return this.#bySlurm(facts)
    const reservation = byRequest(facts) ?? this.#byContainer(facts, rules)
    if (reservation !== null) return { account: null, reservation }
    return implied(facts, rules)
  }

  /** To be called after the jobs of a round. Returns what has become known of jobs that are over. */
  endRound({ slurm }: ReservationRules): LateReservation[] {
    this.#round += 1
    this.#slurm.endRound(slurm)
    const late = this.#slurm.takeLate().map(({ id, uid, word }) => ({
      kind: 'slurm' as const,
      id,
      uid,
      account: word.account,
      reservation: word.reservation,
      scheduled: scheduledBy(word, this.#slurmNames.get(`${id}@${uid}`)?.name ?? null),
    }))
    for (const [key, { id, uid }] of this.#slurmNames)
      if (!this.#slurm.has(id, uid)) this.#slurmNames.delete(key)
    return late
  }

  #bySlurm(facts: JobFacts): Said {
    const { id, uid, marks } = facts
    const word = this.#slurm.of(id, uid, isSlurmCgroup(facts) ? 'cgroup' : 'environment')
    const { slurmJobName: name } = marks
    if (name !== null) this.#slurmNames.set(`${id}@${uid}`, { id, uid, name })
    if (word === undefined)
      return name === null
        ? nothing
        : { ...nothing, scheduled: { name, shownId: null, restarts: null } }
    const { account, reservation } = word
    return { account, reservation, scheduled: scheduledBy(word, name) }
  }

  #byContainer(facts: JobFacts, { nodeGpus }: ReservationRules): Reservation | null {
    const { kind, place, marks } = facts
    if (place === undefined || (kind !== 'container' && kind !== 'attempt')) return null
    const known = this.#limits.get(facts)
    if (known !== undefined && this.#round - known.readIn < roundsBetween) return known.limits
    const gpus = gpusGiven(marks.visibleGpus, nodeGpus)
    const limits = containerLimits(this.#mounts, place.cgroups, gpus)
    this.#limits.set(facts, { limits, readIn: this.#round })
    return limits
  }
}

const scheduledBy = ({ shownId, restarts }: SlurmWord, name: string | null): Scheduled => ({
  name,
  shownId,
  restarts,
})

/** What a user asked jobmeter for. They may have written anything there, but it is only their own job that it is said of. */
function byRequest({ kind, marks }: JobFacts): Reservation | null {
  const asked =
    kind === 'attempt' && marks.request !== null ? parseRequestMark(marks.request) : null
  return asked === null ? null : { ...asked, source: 'jobmeter' }
}

/** What `docker run --gpus` puts into the environment of a container: a list, or `all`. */
function gpusGiven(visible: string | null, nodeGpus: number): number | null {
  if (visible === null || visible === 'void' || visible === 'none') return null
  if (visible === 'all') return nodeGpus > 0 ? nodeGpus : null
  return visible.split(',').filter(Boolean).length
}

/** A user who works on a node with GPUs is taken to want them, where the configuration says so. */
function implied({ kind }: JobFacts, { impliedGpus, nodeGpus }: ReservationRules): Said {
  if (impliedGpus === null || nodeGpus === 0) return nothing
  if (kind !== 'session' && kind !== 'attempt') return nothing
  const reservation: Reservation = {
    cpus: null,
    memoryBytes: null,
    gpus: impliedGpus,
    runtimeSeconds: null,
    source: 'implied',
  }
  return { account: null, reservation }
}
