import type { TaskEnd } from '../../sensors/netlink/taskstats.ts'

/** What the kernel tells of a process, or a thread of one, when it ends. */
export type ExitRecord = TaskEnd

/** Where records come from; `lost` are those that the kernel had to drop. */
export interface ExitRecords {
  drain(): { readonly records: readonly ExitRecord[]; readonly lost: number }
  close(): void
}
