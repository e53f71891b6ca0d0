import type { Clock } from '../../../system/system.ts'
import type { AttemptFolder } from './attempt-folder.ts'
import { RemoteAttempt } from './read-remote-attempt.ts'
import type { RemoteHandle } from './remote-handle.ts'
import type { SiteState, SiteTask } from './site.ts'

/** An attempt that was ordered and is not over, as far as we know. */
export interface UnderWay extends SiteTask {
  handle: RemoteHandle
  readonly attempt: RemoteAttempt
  hasStarted: boolean
  endSignal: NodeJS.Signals
  endRequests: number
  /** What the site says, and when it said first that it is over. */
  state: SiteState | undefined
  overSince: number
  /** Since when its end lies in the folder, where the site is to be heard first. */
  toldSince: number | null
  /** When somebody who should know last said that it is there. */
  heardAt: number
}

export const underWay = (
  clock: Clock,
  handle: Pick<RemoteHandle, 'executor' | 'by'>,
  folder: AttemptFolder,
): UnderWay => ({
  taskId: folder.taskId,
  folder,
  handle: { ...handle, folder: folder.path },
  attempt: new RemoteAttempt(clock, folder),
  hasStarted: false,
  endSignal: 'SIGTERM',
  endRequests: 0,
  state: undefined,
  overSince: 0,
  toldSince: null,
  heardAt: clock.monotonicSeconds(),
})
