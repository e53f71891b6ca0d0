/** Where a process stands in the cgroup trees, as /proc/PID/cgroup tells. */
export interface CgroupMembership {
  /** null where the kernel has no v2 tree. */
  readonly v2Path: string | null
  /** Path by controller (`memory`), or by name for a tree without any (`name=systemd`). */
  readonly v1: ReadonlyMap<string, string>
}

/**
 * Of lines such as `4:memory:/batch/job_7` or, for v2, `0::/batch/job_7`. A path may hold colons but no line end:
 * the kernel refuses to make such a cgroup, so that this file can be parsed.
 */
export function parseCgroupMembership(text: string): CgroupMembership | undefined {
  let v2Path: string | null = null
  const v1 = new Map<string, string>()
  for (const entry of text.split('\n')) {
    if (entry === '') continue
    const afterTree = entry.indexOf(':')
    const afterControllers = entry.indexOf(':', afterTree + 1)
    const tree = entry.slice(0, Math.max(0, afterTree))
    const controllers = entry.slice(afterTree + 1, afterControllers)
    const path = entry.slice(afterControllers + 1)
    if (afterControllers <= afterTree || !isNumber(tree) || !path.startsWith('/')) return undefined
    if (tree === '0' && controllers === '') v2Path = path
    else for (const controller of controllers.split(',')) v1.set(controller, path)
  }
  return { v2Path, v1 }
}

function isNumber(text: string): boolean {
  const value = Number.parseInt(text, 10)
  return value >= 0 && String(value) === text
}
