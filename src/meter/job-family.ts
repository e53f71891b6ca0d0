import type { System } from '../system/system.ts'
import { BlindTime } from './blind-time.ts'
import type { CgroupReadings } from './cgroup-readings.ts'
import type { FollowRequest } from './follow-request.ts'
import type { Member } from './member.ts'
import type { Members } from './members.ts'
import type { Seeker } from './orphans.ts'

/** To list a thousand processes takes the kernel a millisecond in v1. */
const asleepPerListing = 10

/** Which processes are the job's, for those who look for more of them. */
export class JobFamily implements Seeker {
  readonly mark: string | null
  readonly brand: number | null
  readonly markUid: number | undefined
  readonly blind = new BlindTime()
  readonly #system: System
  readonly #members: Members
  readonly #cgroup: CgroupReadings
  readonly #pids: number[] = []
  /** Looks since its cgroup was last listed, all at processes that slept. */
  #unlistedLooks = 0
  /** A search has taken in what the cgroup lists since the last look, and there will be another when anything is started. */
  #isListed = false

  constructor(
    system: System,
    { mark, markUid, brand = null }: Pick<FollowRequest, 'mark' | 'markUid' | 'brand'>,
    members: Members,
    cgroup: CgroupReadings,
  ) {
    this.#system = system
    this.mark = mark
    this.brand = brand
    this.markUid = markUid
    this.#members = members
    this.#cgroup = cgroup
  }

  get cgroupName(): string | null {
    return this.#cgroup.name
  }

  get keepsItsDead(): boolean {
    return this.#cgroup.keepsTheDead
  }

  /** Those that were just taken in, and not looked at yet, count as well. */
  get knownThreads(): number {
    return Math.max(this.#members.liveThreads, this.#members.byPid.size)
  }

  living(): Iterable<Member> {
    return this.#members.byPid.values()
  }

  has(pid: number): boolean {
    return this.#members.byPid.has(pid)
  }

  hasFamily(id: number): boolean {
    return this.#members.hasFamily(id)
  }

  take(pid: number): Member | undefined {
    return this.#members.add(pid)
  }

  takeListed(): void {
    const { sensor } = this.#cgroup
    if (sensor === null) return
    this.#isListed = true
    this.#pids.length = 0
    if (!sensor.members(this.#pids)) return
    for (const pid of this.#pids)
      if (!this.has(pid) && pid !== this.#system.processes.self) this.#members.add(pid)
  }

  /** The same for a look at processes that may have run, unless a search has done it since the last look. */
  takeUnlistedAwake(): void {
    this.#unlistedLooks = 0
    if (!this.#isListed) this.takeListed()
    this.#isListed = false
  }

  /**
   * The same where none of its processes has run since the last look. Somebody else may have moved one of his in: for that one
   * look in ten is enough.
   */
  takeUnlistedAsleep(): void {
    this.#unlistedLooks += 1
    if (this.#unlistedLooks >= asleepPerListing) this.takeUnlistedAwake()
    else this.#isListed = false
  }
}
