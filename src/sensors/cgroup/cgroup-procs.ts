import { parsePids } from '../pid-list.ts'

/** Adds the processes that cgroup.procs names, one a line: of this cgroup, not of those below it. */
export function parseCgroupProcs(bytes: Uint8Array, length: number, into: number[]): boolean {
  return parsePids(bytes, length, into)
}
