import type { CgroupDirectories } from '../sensors/cgroup/cgroup-sensor.ts'
import type { DeviceSink } from './job-devices.ts'
import type { SampleSink } from './sample-buffer.ts'

/** The job's own cgroup: its directory in each hierarchy, and what the launcher itself was charged there. */
export interface FollowedCgroup extends CgroupDirectories {
  /** Whether the job will join a v2 of its own if it lasts. */
  readonly joinsLater: boolean
  readonly launcherCpuSeconds: number
  /** A container runtime ran in it before the job did: what that held may be the peak of the cgroup. */
  readonly hadRuntime?: true
}

export interface FollowRequest {
  readonly rootPid: number
  /** null: nothing of it is measured, and its processes are looked for only when somebody asks for them. */
  readonly intervalSeconds: number | null
  /** At least so often its memory is looked at, measured or not: for a limit that nobody but us can enforce. */
  readonly memoryLookSeconds?: number
  /**
   * For who shows each sample as it comes: all looks are full ones and stand on multiples of the interval. Others begin
   * with a few quick looks, and read what is dear only once a second.
   */
  readonly looksEvenly?: boolean
  /** All GPUs of the machine count as the job's, for who watches the machine beside it. */
  readonly watchesAllCards?: boolean
  /** Text in the environment of the job's processes that no other process has. */
  readonly mark: string | null
  /** A number that its processes keep, dead or alive, and no others have. */
  readonly brand?: number | null
  /** The uid of those who count by the mark, where it is one that anybody can write; left out where it is a secret. */
  readonly markUid?: number | undefined
  readonly cgroup: FollowedCgroup | null
  /**
   * `launched` jobs count from zero, and so do those that were `found`: somebody else started them a moment ago. A process
   * that was already running counts from now on.
   */
  readonly origin: 'launched' | 'found' | 'running'
  /** Set where the job is over as soon as nobody looks any more: what its processes do later is not of it. */
  readonly endsWithLook?: true
  /** When it was started, by the clock that never steps; now, where that is not known. */
  readonly startedAt?: number
  /** The same in seconds since 1970, as its record has it: the times of samples count from there. */
  readonly recordedStart?: number
  /** Resident size of the launcher when it started the job: below it the kernel's account says nothing of memory. */
  readonly launcherBytes: number
  readonly onSamples: SampleSink
  /** Left out where nobody keeps rows of devices. */
  readonly onDevices?: DeviceSink
  /** Called after each look, for limits that nobody but us can enforce. */
  readonly onLook?: (job: SeenJob) => void
}

/** A job as it was last seen. */
export interface SeenJob {
  elapsedSeconds(): number
  readonly livingProcesses: number
  readonly seen: Readonly<LastSeen>
}

/** What others act on while the job runs: limits, and whoever shows how it goes. Gauges write it. */
export interface LastSeen {
  /** Over the last second or more; NaN until there was one. */
  cpuPercent: number
  /** NaN before the first look, and where it is not measured. */
  memoryBytes: number
  /** Processes that the kernel killed for want of memory; NaN where nothing tells. */
  oomKills: number
  /** How often it needed more than its cgroup's own limit; NaN where nothing tells. */
  limitHits: number
}
