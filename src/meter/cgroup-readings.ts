import { CgroupSensor, CgroupUsage, type WantedOfCgroup } from '../sensors/cgroup/cgroup-sensor.ts'
import type { System } from '../system/system.ts'
import type { FollowedCgroup } from './follow-request.ts'

const cpuKeys = ['usageSeconds', 'userSeconds', 'systemSeconds'] as const

/** What only grows. */
const countedKeys = [
  ...cpuKeys,
  'oomKills',
  'limitHits',
  'readBytes',
  'writeBytes',
  'readOps',
  'writeOps',
  'cpuPressureSeconds',
  'memoryPressureSeconds',
  'ioPressureSeconds',
] as const satisfies readonly (keyof CgroupUsage)[]

const glimpse = new CgroupUsage()

/** Reading a cgroup takes a tenth of this. */
const promptSeconds = 0.005
const mostTries = 3

/** What the cgroup of a job tells, for all gauges that draw on it: once a look, and its CPU time once a glance too. */
export class CgroupReadings {
  /** As of the last look, its CPU time as of the last glance; NaN where there is nothing to tell it. */
  readonly usage = new CgroupUsage()
  readonly #system: System
  readonly #directories: FollowedCgroup | null
  /** Whether all that ever ran in it can be told to have, when they are dead: v1 knows them no more. */
  readonly keepsTheDead: boolean
  readonly #wanted: WantedOfCgroup
  #sensor: CgroupSensor | undefined
  /** Whether the last look found it. */
  isThere = false
  /** What it told between looks, of one that may vanish before the next. */
  readonly #glimpsed = new CgroupUsage()
  /** What was there before the watching began; nothing where all of it counts. */
  #before: CgroupUsage | undefined

  constructor(system: System, directories: FollowedCgroup | null, wanted: WantedOfCgroup) {
    this.#system = system
    this.#directories = directories
    this.keepsTheDead = directories !== null && directories.v2 !== null
    this.#wanted = wanted
  }

  /** Opened when first needed: a job that is over in a millisecond should not wait for it. */
  get sensor(): CgroupSensor | null {
    if (this.#directories === null) return null
    this.#sensor ??= new CgroupSensor(this.#system, this.#directories, this.#wanted)
    return this.#sensor
  }

  /** The last part of its path, which no other job has; null where there is no cgroup. */
  get name(): string | null {
    const directory = this.#directories?.v2 ?? this.#directories?.v1.values().next().value
    return directory?.slice(directory.lastIndexOf('/') + 1) ?? null
  }

  /** What it says that processes hold; NaN where it does not. */
  get heldBytes(): number {
    return heldBytes(this.usage)
  }

  /** The same, as of the last glimpse. */
  get glimpsedHeldBytes(): number {
    return heldBytes(this.#glimpsed)
  }

  /** Has the job join a v2 cgroup, which counts from then on: what counts from the start is opened before. */
  join(enter: () => string | null): void {
    const { sensor } = this
    const v2 = enter()
    if (v2 !== null) sensor?.join(v2)
  }

  /**
   * Answers the time since then as of which counters are told: after they were read, so that they may lag behind it but never run
   * ahead. Where we were stopped in between, which a busy machine does, they are read once more. `cpuAlone`: for a glance,
   * which is to be cheap.
   */
  read(startedAt: number, cpuAlone = false): number {
    const { sensor } = this
    const { clock } = this.#system
    if (sensor === null) return clock.monotonicSeconds() - startedAt
    let elapsed = NaN
    for (let tries = 0; tries < mostTries; tries++) {
      const before = clock.monotonicSeconds() - startedAt
      if (cpuAlone) this.#glanceBack(sensor)
      else this.#lookBack(sensor)
      elapsed = clock.monotonicSeconds() - startedAt
      if (elapsed - before < promptSeconds) break
    }
    return elapsed
  }

  /** Reads it to have it should the cgroup be gone at the next look. */
  glimpse(): void {
    this.sensor?.read(glimpse)
    if (glimpse.usageSeconds >= 0) Object.assign(this.#glimpsed, glimpse)
  }

  /** Leaves out what was used before. The peak of memory may be of that time, and tells nothing then. */
  countFromHere(): void {
    const { sensor } = this
    if (sensor === null) return
    const before = new CgroupUsage()
    sensor.read(before)
    sensor.keepsMemoryPeak = false
    this.#before = before
  }

  close(): void {
    this.#sensor?.close()
  }

  #glanceBack(sensor: CgroupSensor): void {
    sensor.readCpu(this.usage)
    if (this.#before !== undefined) this.#leaveOut(this.#before, cpuKeys)
  }

  #lookBack(sensor: CgroupSensor): void {
    const { usage } = this
    sensor.read(usage)
    this.isThere = !Number.isNaN(usage.usageSeconds)
    if (!this.isThere) Object.assign(usage, this.#glimpsed)
    if (this.#before === undefined) return
    this.#leaveOut(this.#before, countedKeys)
    usage.memoryPeakBytes = NaN
  }

  #leaveOut(before: CgroupUsage, keys: readonly (typeof countedKeys)[number][]): void {
    for (const key of keys) this.usage[key] -= before[key] || 0
  }
}

const heldBytes = ({ anonymousBytes, sharedBytes }: CgroupUsage): number =>
  anonymousBytes + (sharedBytes || 0)
