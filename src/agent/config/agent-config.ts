import type { RemoteTarget } from '../../model/remote-target.ts'
import type { Retention } from '../../store/node/retention.ts'
import type { ToolPlace } from '../../system/system.ts'

/** What the configuration of an agent says; what it does not say is null or left out. */
export interface AgentConfig {
  readonly intervalSeconds: number | null
  readonly database: string | null
  /** The file with policies. */
  readonly policies: string | null
  readonly retention: Partial<Retention>
  /** How many GPUs a job on a node that has some is taken to have asked for, where nobody says what it did. */
  readonly impliedGpus: number | null
  /** The number of the group whose members see everything; null: root alone does. */
  readonly administrators: number | null
  /**
   * False: users cannot ask for what is theirs. Where they ask is not said here, because they may not be able to read it:
   * the environment of both sides says so.
   */
  readonly socket: false | null
  /** Where Slurm's commands are and which configuration they read, where that is not the usual. */
  readonly slurm: ToolPlace
  /** Whom metrics are sent to. */
  readonly remote: readonly RemoteTarget[]
}

export const emptyAgentConfig: AgentConfig = {
  intervalSeconds: null,
  database: null,
  policies: null,
  retention: {},
  impliedGpus: null,
  administrators: null,
  socket: null,
  slurm: {},
  remote: [],
}
