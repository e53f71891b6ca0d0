import { megabyte } from '../model/bytes.ts'
import { whyNot } from '../model/reading.ts'
import { nodeQuestions, type Answerer, type NodeQuestions } from '../store/node/node-questions.ts'
import type { Reply } from '../store/node/questions.ts'
import { askSocket } from '../system/ask-socket.ts'
import { unpacked } from '../system/packed-value.ts'
import { UserError } from './user-error.ts'

const root = 0
const usualWaitSeconds = 60

/** Nobody listens where the agent does. */
export class NoAgent extends UserError {}

/**
 * Asks the agent of this machine, which is root's, instead of its file. It answers with what is the asker's own:
 * `seesOwnAlone` is called when it first does. Nothing else is done while it is waited for.
 */
export function agentQuestions(
  socket: string,
  seesOwnAlone: () => void,
  waitSeconds = usualWaitSeconds,
): NodeQuestions {
  const asked = { peer: root, waitSeconds, mostBytes: 64 * megabyte }
  let isTold = false
  const ask: Answerer = (name, given) => {
    const request = Buffer.from(`${JSON.stringify({ ask: name, with: given })}\n`)
    const answer = askSocket(socket, request, asked)
    if (answer.kind === 'unavailable') throw new NoAgent(cannotBeAsked(answer))
    if (answer.kind !== 'ok') throw new UserError(cannotBeAsked(answer), 'machine')
    const reply = replyIn(answer.value)
    if ('error' in reply) throw new UserError(reply.error)
    if (!isTold && reply.sees === 'own') seesOwnAlone()
    isTold = true
    return reply.ok
  }
  return nodeQuestions(socket, ask)
}

const cannotBeAsked = (answer: Parameters<typeof whyNot>[0]): string =>
  `the agent cannot be asked: ${whyNot(answer)}`

function replyIn(bytes: Buffer): Reply {
  const reply = unpacked(bytes) as Reply | undefined
  if (reply !== undefined) return reply
  throw new UserError(
    'the agent gave up on this question: it took too long, or was too large',
    'machine',
  )
}
