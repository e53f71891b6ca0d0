import type { Viewer } from './viewer.ts'

/** Somebody who says who they are, and how. */
export interface Asker {
  readonly viewer: Viewer
  /** What browsers add by themselves (`cookie`, `proxy`) says nothing of who made the request. */
  readonly by: 'cookie' | 'proxy' | 'bearer'
  /** Aborted when they are to be asked again who they are, or what they may see: a stream must not outlive the right to see it. */
  stay(): AbortSignal
}
