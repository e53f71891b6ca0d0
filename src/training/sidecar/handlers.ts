import type { Fields, Sent } from './message.ts'

/** What the parts of a session share. */
export interface SidecarContext {
  /** The process that is watched. */
  readonly pid: number
  send(message: Sent): void
}

export type Result = Readonly<Record<string, unknown>>

/** What to do with each type of message; the answer goes to a client that asked for one. */
export type Handlers = Readonly<Record<string, (fields: Fields) => Result | Promise<Result>>>
