import { AnswerDesk } from '../../src/agent/answers/answer-desk.ts'
import { listenForUsers } from '../../src/system/user-socket.ts'

/** A process that answers questions as an agent does, and takes no rounds: `SOCKET DATABASE`. */
const [, , socket = '', database = ''] = process.argv
const desk = new AnswerDesk(database)
const opened = await listenForUsers(socket, (caller) => desk.hear(caller))
process.stdout.write(`${opened.kind}\n`)
process.stdin.resume()
