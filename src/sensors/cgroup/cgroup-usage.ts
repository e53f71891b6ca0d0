/** What a cgroup's own files tell at one moment. NaN where this kernel has no such file. */
export class CgroupUsage {
  usageSeconds = Number.NaN
  userSeconds = Number.NaN
  systemSeconds = Number.NaN
  /** Page cache included, as in the peak. */
  memoryBytes = Number.NaN
  memoryPeakBytes = Number.NaN
  anonymousBytes = Number.NaN
  /** Shared memory and tmpfs. */
  sharedBytes = Number.NaN
  /** Page cache proper. */
  fileBytes = Number.NaN
  swapBytes = Number.NaN
  oomKills = Number.NaN
  /** How often it needed more than its own limit. In v1 also where page cache could be given up for it. */
  limitHits = Number.NaN
  readBytes = Number.NaN
  writeBytes = Number.NaN
  readOps = Number.NaN
  writeOps = Number.NaN
  cpuPressureSeconds = Number.NaN
  memoryPressureSeconds = Number.NaN
  ioPressureSeconds = Number.NaN
}

/** Forgets the last reading, so that a file that has gone since does not repeat its figure. */
export function clearCgroupUsage(usage: CgroupUsage): void {
  usage.usageSeconds = usage.userSeconds = usage.systemSeconds = Number.NaN
  usage.memoryBytes = usage.memoryPeakBytes = usage.swapBytes = usage.oomKills = Number.NaN
  usage.limitHits = Number.NaN
  usage.anonymousBytes = usage.sharedBytes = usage.fileBytes = Number.NaN
  usage.readBytes = usage.writeBytes = usage.readOps = usage.writeOps = Number.NaN
  usage.cpuPressureSeconds = Number.NaN
  usage.memoryPressureSeconds = Number.NaN
  usage.ioPressureSeconds = Number.NaN
}
