import { nodeQuestions, type NodeQuestions } from '../../store/node/node-questions.ts'
import type { Desk } from './desk.ts'
import type { NodesFor, Work } from './work.ts'

/** Has questions about nodes asked by clerks; what cannot be opened is told here and now. */
export async function nodesByDesk(desk: Desk, nodes: NodesFor): Promise<NodeQuestions> {
  const who = nodes.viewer === null ? '' : nodes.viewer.users.join('\0')
  const ask = (work: Work): Promise<unknown> => desk.ask(work, who)
  const path = String(await ask({ do: 'open nodes', nodes }))
  return nodeQuestions(path, (name, given) => ask({ do: 'ask nodes', nodes, name, given }))
}
