import type { JobFacts, JobTally } from '../jobs/job-tally.ts'
import type { CgroupMounts } from './cgroup-mounts.ts'

type Cgroups = ReadonlyMap<string, string>

/** What is known of a cgroup for as long as it exists. */
interface Counted {
  readonly cgroups: Cgroups
  seconds: number
  /** What its jobs were told beyond what it counted. It is read later than its processes, so it is ahead of them or behind. */
  aheadSeconds: number
}

/**
 * Gives jobs that are cgroups what their cgroup counted and no process of theirs was seen to use: orphans, children of a
 * process that does not wait for them, and processes whose end was not reported. It is taken from where it went: from what is rolled up of
 * processes of the same user that no round saw, and else from what would be nobody's. So nothing counts twice.
 */
export class CgroupCpu {
  readonly #mounts: CgroupMounts
  readonly #known = new Map<string, Counted>()
  #isFirst = true

  constructor(mounts: CgroupMounts) {
    this.#mounts = mounts
  }

  fillIn(tallies: readonly JobTally[], nodeSeconds: number): void {
    let left = tallies.reduce((rest, { cpuSeconds }) => rest - cpuSeconds, nodeSeconds)
    const members = byDirectory(tallies)
    // What is in an inner one is in the outer one's count too.
    const innerFirst = [...members].sort(([one], [other]) => other.length - one.length)
    for (const [directory, inside] of innerFirst) {
      const missing = this.#missing(directory, inside, secondsWithin(directory, members))
      if (missing > 0) left -= take(inside, missing, tallies, Math.max(0, left))
    }
    for (const directory of this.#known.keys())
      if (!members.has(directory)) this.#lookAgain(directory)
    this.#isFirst = false
  }

  /** What a cgroup counted since the round before and its jobs do not have. */
  #missing(directory: string, inside: readonly JobTally[], seenSeconds: number): number {
    const cgroups = inside[0]?.facts.place?.cgroups ?? noCgroups
    const seconds = this.#cpuSeconds(cgroups)
    if (seconds === undefined) return 0
    const known = this.#known.get(directory)
    // One that is new after the first round began within this one, and one that counts less than before began again.
    const before = known === undefined || seconds < known.seconds ? 0 : known.seconds
    const isOlder = known === undefined && this.#isFirst
    const ahead = isOlder ? 0 : (known?.aheadSeconds ?? 0) + seenSeconds - (seconds - before)
    this.#known.set(directory, { cgroups, seconds, aheadSeconds: Math.max(0, ahead) })
    return -ahead
  }

  /** One without processes may get some again: a Slurm job has none between its steps. */
  #lookAgain(directory: string): void {
    const known = this.#known.get(directory)
    const seconds = known && this.#cpuSeconds(known.cgroups)
    if (known === undefined || seconds === undefined) this.#known.delete(directory)
    else known.seconds = seconds
  }

  #cpuSeconds(cgroups: Cgroups): number | undefined {
    const ofV2 = /usage_usec (\d+)/.exec(this.#mounts.read(cgroups, '', 'cpu.stat') ?? '')?.[1]
    if (ofV2 !== undefined) return Number(ofV2) / 1e6
    const ofV1 = this.#mounts.read(cgroups, 'cpuacct', 'cpuacct.usage')
    return ofV1 === undefined ? undefined : Number(ofV1) / 1e9
  }
}

const noCgroups: Cgroups = new Map()

/** Several jobs can be in one cgroup: those of several users, and attempts in one container. */
function byDirectory(tallies: readonly JobTally[]): Map<string, JobTally[]> {
  const members = new Map<string, JobTally[]>()
  for (const tally of tallies) {
    const directory = directoryOf(tally.facts)
    if (directory === undefined) continue
    const inside = members.get(directory)
    if (inside === undefined) members.set(directory, [tally])
    else inside.push(tally)
  }
  return members
}

/** Undefined where only an environment names the job. */
const directoryOf = ({ place }: JobFacts): string | undefined =>
  place?.cgroups.get('') ?? place?.cgroups.get('cpuacct')

/** What jobs in a cgroup, and in those within it, were told. */
function secondsWithin(
  directory: string,
  members: ReadonlyMap<string, readonly JobTally[]>,
): number {
  let seconds = 0
  for (const [inner, inside] of members)
    if (inner === directory || inner.startsWith(`${directory}/`))
      for (const { cpuSeconds } of inside) seconds += cpuSeconds
  return seconds
}

/** Answers how much of it was nobody's: of that, the first job has what is missing. */
function take(
  inside: readonly JobTally[],
  missing: number,
  tallies: readonly JobTally[],
  left: number,
): number {
  let wanted = missing
  for (const job of inside)
    for (const other of tallies)
      if (other.facts.kind === 'rolled-up' && other.facts.uid === job.facts.uid)
        wanted -= job.takeShort(other, wanted)
  const nobodys = Math.min(left, wanted)
  const [first] = inside
  if (first !== undefined) first.cpuSeconds += nobodys
  return nobodys
}
