import type { Files } from '../system/system.ts'

/** Where the v2 tree is on machines that have it alone, and on those that have it beside v1. */
const mountPoints = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified']

/**
 * The first move into a cgroup after a quiet time waits some 10 ms until every CPU has taken note (an RCU
 * grace period); moves soon after it do not. So a move that changes nothing goes ahead in the background,
 * before the code that starts a job is even loaded. Where it cannot be done nothing is lost but that time.
 */
export function warmUpCgroups(files: Files, pid: number): void {
  const membership = files.readText('/proc/self/cgroup')
  if (membership.kind !== 'ok') return
  const path = /^0::(\/.*)$/m.exec(membership.value)?.[1]
  if (path === undefined) return
  for (const mountPoint of mountPoints) {
    const procs = `${mountPoint}${path === '/' ? '' : path}/cgroup.procs`
    if (!files.isWritable(procs)) continue
    files.writeInBackground(procs, String(pid))
    return
  }
}
