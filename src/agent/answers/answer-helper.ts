import { UserNames } from '../../sensors/user-names.ts'
import { openNodeReader } from '../../store/node/open-node.ts'
import type { NodeViewer } from '../../store/node/viewer.ts'
import { answerTo, asQuestion, type Reply } from '../../store/node/questions.ts'
import { becomeUser } from '../../system/become-user.ts'
import { endWithParent } from '../../system/helper-end.ts'
import { readRequest } from '../../system/one-request.ts'
import { packed } from '../../system/packed-value.ts'
import { realOutput } from '../../system/real-output.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'

/** The program that answers one question of one user, on its standard streams (`answer-desk.ts` starts it). */
const most = { requestBytes: 64 * 1024, replyBytes: 32 * 1024 * 1024, secondsToAsk: 2 }
const root = 0

async function main(): Promise<void> {
  const [, , user = '', database = ''] = process.argv
  const uid = Number(user)
  const system = realSystem({ ownsProcess: false })
  // Where memory runs out, it is this process that goes.
  system.files.write('/proc/self/oom_score_adj', '1000')
  const reader = openNodeReader(database, uid === root ? undefined : await viewer(system, uid))
  if (uid !== root) becomeUser(uid)
  endWithParent()
  const sent = await readRequest(most.requestBytes, most.secondsToAsk)
  const question = sent === undefined ? undefined : asQuestion(parsed(sent))
  if (question === undefined) return reply({ error: notUnderstood })
  reply({ ok: answerTo(reader, question), sees: uid === root ? 'all' : 'own' })
}

/** While the name of a user is looked for, their jobs are kept under the number. */
const viewer = async (system: System, uid: number): Promise<NodeViewer> => ({
  users: [await new UserNames(system).find(uid), String(uid)],
})

function reply(said: Reply): void {
  const bytes = packed(said)
  const isShort = bytes.length <= most.replyBytes
  realOutput.write(1, isShort ? bytes : packed({ error: tooLong } satisfies Reply))
}

const notUnderstood =
  'the agent does not know this question; is it another version of jobmeter than yours?'
const tooLong = 'the answer is too long; ask for less time, or with --limit'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

try {
  await main()
} catch (error) {
  const words = error instanceof Error ? error.message : String(error)
  reply({ error: `the agent cannot answer: ${words}` })
}
// At once: whoever asked may still have the other end open.
process.exit(0)
