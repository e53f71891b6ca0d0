/** Where a job's cgroup is in one hierarchy. */
export interface MadeCgroup {
  /** Of v1, or `v2` for the hierarchy that has no controllers of its own name. */
  readonly controller: string
  /** Our own cgroup, which we come back to. */
  readonly home: string
  /** The job's. */
  readonly directory: string
}

export function parentOf(directory: string): string {
  return directory.slice(0, directory.lastIndexOf('/'))
}
