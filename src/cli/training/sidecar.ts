import { jsonText } from '../../render/text/json-text.ts'
import { UserError } from '../../service/user-error.ts'
import { readInputLines } from '../../system/line-input.ts'
import { realSystem } from '../../system/real.ts'
import { mostLineCharacters, protocolVersion, type Sent } from '../../training/sidecar/message.ts'
import { Session } from '../../training/sidecar/session.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'
import type { Console } from '../terminal/console.ts'
import { version } from '../version.ts'
import { aliveSince, tether } from './tether.ts'

const definition = defineCommand({
  name: 'sidecar',
  aliases: [],
  summary: 'Measures a process for a program in another language, which asks it in lines of JSON.',
  usage: 'sidecar --pid N',
  description:
    'Reads one JSON object a line from standard input and writes one a line to standard output, as docs/training.md describes. Ends with its input, with the process it watches, and with whoever started it. python/jobmeter.py is a client.',
  arguments: [],
  options: {
    pid: {
      type: 'number',
      value: 'N',
      example: '4711',
      min: 1,
      whole: true,
      required: true,
      says: 'the process to watch, with all its descendants',
    },
  },
  examples: [`echo '{"type":"hello","protocol":1,"id":1}' | jobmeter sidecar --pid $$`],
})

export const execute = commandAction(definition, async ({ options: { pid }, console }) => {
  const system = realSystem({ ownsProcess: false })
  const startTicks = aliveSince(system, pid)
  if (startTicks === undefined)
    throw new UserError(`there is no process ${pid}. See ps -e, or pgrep -f NAME`)
  // A terminal sends Ctrl-C to everything that was started from it; the program that is watched decides what comes of it.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) system.processes.onSignal(signal, () => {})
  const { promise: ended, resolve: end } = Promise.withResolvers<string>()
  system.processes.onSignal('SIGTERM', () => end('it was told to end'))
  const send = sender(console, end)
  send({
    type: 'hello',
    protocol: protocolVersion,
    version,
    pid: system.processes.self,
    watching: pid,
  })
  const session = new Session({ pid, send })
  readInputLines(mostLineCharacters, {
    line: (text) => session.take(text),
    tooLong: () => session.refuseLine(`a line has at most ${mostLineCharacters} characters`),
    end: () => void session.settled().then(() => end('the input has ended')),
  })
  tether(system, { pid, startTicks }, end)
  const reason = await ended
  await session.close()
  send({ type: 'bye', reason })
  return 0
})

/** JSON has no line ends in it. Without a reader nothing is left to do. */
const sender =
  (console: Console, end: (reason: string) => void) =>
  (message: Sent): void => {
    if (!console.print(`${jsonText(message)}\n`)) end('nobody reads the output')
  }
