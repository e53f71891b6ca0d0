/** What of a process counts up, in seconds and bytes. */
class ProcessCounters {
  /** Used by its own threads. */
  ownSeconds = 0
  /** Used by the children that it has waited for, and by theirs. */
  childSeconds = 0
  /** Its own and theirs; NaN where they are not ours to read. */
  readBytes = Number.NaN
  writeBytes = Number.NaN

  copyFrom(other: ProcessCounters): void {
    this.ownSeconds = other.ownSeconds
    this.childSeconds = other.childSeconds
    this.readBytes = other.readBytes
    this.writeBytes = other.writeBytes
  }
}

/** How much of a process's memory was its own when the kernel was asked, and how much it and its family had then. */
export interface SharingRead {
  readonly inRound: number
  readonly residentBytes: number
  readonly familyBytes: number
  /** NaN where it is not ours to read. */
  readonly part: number
}

/** A process that was there at the last look. One object for as long as it lives. */
export class SeenProcess {
  readonly pid: number
  readonly startTicks: number
  parentPid = 0
  groupId = 0
  uid = Number.NaN
  command = ''
  isKernelThread = false
  isZombie = false
  /** Whether it told the kernel that it will not wait for its children: their counters are then nobody's. */
  ignoresChildren = false
  /** Whether an orphan has been seen with this as its new parent. */
  adopts = false
  /** Whether it was one at the look before. */
  staysZombie = false
  threads = 1
  residentBytes = 0
  /** How much of that is its own: pages that it shares with others count in part. */
  ownPart = 1
  /** What was last read of that. */
  sharing: SharingRead | null = null
  /** As of the round before. */
  readonly before = new ProcessCounters()
  readonly now = new ProcessCounters()
  /** The last round that saw it. */
  seenIn = -1
  /** How many rounds have seen it. */
  looks = 0
  /** Its own, which grow when it does something: whoever looks for what it has opened asks for these. */
  userTicks = 0
  systemTicks = 0
  minorFaults = 0
  /** Changes with everything that the process does for longer than a tick. */
  sign = Number.NaN
  /** Whether `sign` had changed at the last look. */
  hasStirred = true
  /** Of its stat file, which is kept open; -1 where it is not. */
  statDescriptor = -1
  /** Tells one name from another without making a text of it. */
  nameHash = -1
  /** The text of /proc/PID/cgroup. */
  cgroup = ''
  /** What jobs and schedulers left in its environment. */
  marks: ProcessMarks = noMarks
  constructor(pid: number, startTicks: number) {
    this.pid = pid
    this.startTicks = startTicks
  }
}

/** Variables that tell whose job a process is. */
export interface ProcessMarks {
  readonly taskId: string | null
  readonly slurmJobId: string | null
  readonly slurmJobName: string | null
  /** What jobmeter was asked for, as `requestMark` writes it. */
  readonly request: string | null
  /** Which GPUs a container was given. */
  readonly visibleGpus: string | null
}

export const noMarks: ProcessMarks = {
  taskId: null,
  slurmJobId: null,
  slurmJobName: null,
  request: null,
  visibleGpus: null,
}
