import { AnswerDesk } from '../../agent/answers/answer-desk.ts'
import type { AgentConfig } from '../../agent/config/agent-config.ts'
import { whyNot } from '../../model/reading.ts'
import { UserError } from '../../service/user-error.ts'
import type { NodeStore } from '../../store/node/open-node.ts'
import { isForeignToRoot } from '../../store/strangers.ts'
import type { UserSocket } from '../../system/user-socket.ts'
import type { Console } from '../terminal/console.ts'
import { agentSocket } from './node-options.ts'

const isRoot = (): boolean => process.geteuid?.() === 0

/** Where others could put something else in its place, root's agent writes nothing. */
export function refuseOthersPlace(database: string): void {
  if (isForeignToRoot(database))
    throw new UserError(
      `root's agent does not write to ${database}: others may change what is there. Name a database in a directory that only root can write to`,
    )
}

/** Lets the administrators read it. What somebody else's agent keeps is theirs alone, whatever the configuration of the node says. */
export function shareStore(
  store: NodeStore,
  { administrators }: AgentConfig,
  console: Console,
): void {
  const problem = isRoot() ? store.shareWith(administrators) : undefined
  if (problem !== undefined) console.complain(problem)
}

/** Where users ask root's agent for what is theirs. Without it the agent does all the rest. */
export async function openDoor(
  config: AgentConfig,
  store: NodeStore,
  console: Console,
): Promise<Door> {
  let open = await listen(config, store, console)
  return {
    keepOpen: async () => {
      if (open === undefined || open.isInPlace()) return
      console.complain('the socket at which users ask was removed or replaced')
      open.close()
      open = undefined
      open = await listen(config, store, console)
    },
    close: () => {
      open?.close()
      open = undefined
    },
  }
}

interface Door {
  /** Makes the socket again if somebody took it away. */
  keepOpen(): Promise<void>
  close(): void
}

async function listen(
  { socket }: AgentConfig,
  { path: database }: NodeStore,
  console: Console,
): Promise<UserSocket | undefined> {
  if (socket === false || !isRoot()) return undefined
  const path = agentSocket()
  if (isForeignToRoot(path)) {
    console.complain(`users cannot ask for their jobs: others may change what is at ${path}`)
    return undefined
  }
  const { listenForUsers } = await import('../../system/user-socket.ts')
  const desk = new AnswerDesk(database)
  const door = await listenForUsers(path, (caller) => desk.hear(caller))
  if (door.kind === 'ok') return door.value
  console.complain(`users cannot ask for their jobs: ${whyNot(door)}`)
  return undefined
}
