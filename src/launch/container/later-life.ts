import type { Inspected } from '../../sensors/container/inspected.ts'

/**
 * Whether a container that was first described so has since been started again, or is about to be: its main process or the time
 * of its start is another one. One that has ended has no process, and a daemon may tell no time.
 */
export function isLaterLife(first: Inspected, now: Inspected): boolean {
  if (now.isRunning && first.pid !== null && now.pid !== first.pid) return true
  return first.startedAt !== null && now.startedAt !== null && now.startedAt !== first.startedAt
}
