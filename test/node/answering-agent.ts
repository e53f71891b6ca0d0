import { join } from 'node:path'
import type * as desks from '../../src/agent/answers/answer-desk.ts'
import type * as sockets from '../../src/system/user-socket.ts'
import { staleSource } from '../stale-build.ts'
import { repository } from '../workloads/compile.ts'

/**
 * A process that answers questions as an agent does, and takes no rounds: `SOCKET DATABASE`. Each answer is the start of a
 * program, which takes a quarter of the time where it is built.
 */
const [, , socket = '', database = ''] = process.argv
const isBuilt = staleSource(repository) === undefined
const load = (name: string): Promise<unknown> =>
  import(join(repository, isBuilt ? 'dist' : 'src', `${name}.${isBuilt ? 'js' : 'ts'}`))
const { AnswerDesk } = (await load('agent/answers/answer-desk')) as typeof desks
const { listenForUsers } = (await load('system/user-socket')) as typeof sockets
const desk = new AnswerDesk(database)
const opened = await listenForUsers(socket, (caller) => desk.hear(caller))
process.stdout.write(`${opened.kind}\n`)
process.stdin.resume()
