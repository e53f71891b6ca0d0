import { parseQueueHandle, type QueueHandle } from './queue/queue-handle.ts'
import { parseHandle, type RemoteHandle } from './remote/remote-handle.ts'

/** How an attempt that runs elsewhere is found again, as the place where it runs needs it. */
export type Handle = QueueHandle | RemoteHandle

/** The handle in what was noted of an attempt; undefined where it runs on this machine, or nothing is known. */
export const handleIn = (note: string | null): Handle | undefined =>
  parseQueueHandle(note) ?? parseHandle(note)
