import { dirname, resolve } from 'node:path'
import { count } from '../../model/count.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { LedgerSender, type SentNow } from '../../service/team/ledger-sender.ts'
import { NodeSender, type NodesSent } from '../../service/team/node-sender.ts'
import { keepSending, type Sender } from '../../service/team/send-loop.ts'
import { joinedTeam } from '../../service/team/team-config.ts'
import { holdLock, type HeldLock } from '../../store/held-lock.ts'
import { shownAddress } from '../../store/ledger/team-address.ts'
import { sendLockPath } from '../../store/outbox/send-notes.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import type { Console } from '../terminal/console.ts'
import { version } from '../version.ts'
import { ledgerOfTeam, telling, type LedgerOfTeam } from './team-address.ts'

const definition = defineCommand({
  name: 'sync',
  aliases: [],
  summary: 'Sends what the ledger, or an agent, holds to the team that was joined.',
  usage: 'sync [options]',
  description:
    'Sends all that is there and ends. With --watch it goes on, and tries again when the team cannot be reached; running workflows start that by ' +
    'themselves. $JOBMETER_TEAM names another team than the one that was joined. Several may send the same ledger at once: nothing is sent twice.',
  arguments: [],
  options: {
    watch: { type: 'boolean', short: 'w', says: 'go on sending until it is stopped' },
    'until-idle': {
      type: 'duration',
      value: 'TIME',
      example: '30s',
      min: 0,
      says: 'with --watch: end when no job runs and nothing was to be sent for so long',
    },
    beside: {
      type: 'number',
      value: 'PID',
      example: '4711',
      min: 1,
      whole: true,
      says: 'with --until-idle: go on as long as this process, which has started it, lives',
    },
    'node-db': {
      type: 'string',
      value: 'PATH',
      example: '/var/lib/jobmeter/node.db',
      says: 'also send what an agent keeps in this database; a running agent does so by itself',
    },
    quiet: { type: 'boolean', short: 'q', says: 'print only errors' },
    ...globalOptions,
  },
  examples: [
    'jobmeter sync',
    'jobmeter sync --watch',
    'jobmeter sync --node-db node.db',
    'jobmeter sync --format json',
  ],
})

export const execute = commandAction(definition, async ({ options, console }) => {
  const system = realSystem({ ownsProcess: false })
  const { ledger, address } = ledgerOfTeam(system, options.db)
  const onProblem = (problem: string): void => console.complain(problem)
  const settings = { address, version, onProblem }
  const sender = new LedgerSender(system, { ...settings, ledger })
  const ofNodes = options['node-db']
  const path = ofNodes === undefined ? undefined : resolve(ofNodes)
  const nodes = path === undefined ? undefined : new NodeSender(system, { ...settings, path })
  try {
    if (options.watch) {
      const stopped = untilStopped(system, options.quiet)
      const isJoined = (): boolean => joinedTeam(system, process.env, ledger) === address
      // A team that $JOBMETER_TEAM names need not be joined, but one that was may be left.
      const wasJoined = isJoined()
      const isWanted = (): boolean =>
        (!wasJoined || isJoined()) && !system.files.isMissing(dirname(ledger))
      const watched = { system, options, console, stopped, isWanted }
      await Promise.all([
        watch(watched, sender, ledgerTurn({ ledger, address }), sentLine),
        nodes === undefined ? undefined : watch(watched, nodes, nodesTurn(path ?? ''), nodesLine),
      ])
      return 0
    }
    const sent = await telling(address, () => sender.send(true))
    const ofAgent = await telling(address, async () => nodes?.send())
    const told =
      ofAgent === undefined
        ? sent
        : { ...sent, node_batches: ofAgent.batches, refused_hosts: ofAgent.refused }
    if (options.format === 'json') console.print(`${jsonText(told, 2)}\n`)
    else if (!options.quiet)
      console.print(`${sentLine(sent)}${ofAgent === undefined ? '' : nodesLine(ofAgent)}`)
    return sent.refused.length + (ofAgent?.refused.length ?? 0) > 0 ? 1 : 0
  } finally {
    await sender.close()
    await nodes?.close()
  }
})

interface WatchOptions {
  readonly 'until-idle': number | undefined
  readonly beside: number | undefined
  readonly quiet: boolean
}

interface Watched {
  readonly system: System
  readonly options: WatchOptions
  readonly console: Console
  readonly stopped: Promise<void>
  /** Whether the ledger is still there, and of the team. */
  isWanted(): boolean
}

/** How often it is tried to take over from another who sends the same. */
const takeOverSeconds = 5

async function watch<Sent>(
  watched: Watched,
  sender: Sender<Sent>,
  turn: Turn,
  line: (sent: Sent) => string,
): Promise<void> {
  const { system, options, console, stopped, isWanted } = watched
  const lock = await turnToSend(watched, turn)
  if (lock === undefined) return
  await keepSending(system, sender, {
    idleSeconds: options['until-idle'],
    // Who has lost its parent gets another.
    hasStarter: () => options.beside !== undefined && process.ppid === options.beside,
    stopped,
    isWanted,
    onSent: (sent) => {
      if (!options.quiet) console.print(line(sent))
    },
    onFailure: (problem, seconds) => {
      if (!options.quiet) console.complain(`${problem}; trying again in ${Math.ceil(seconds)} s`)
    },
  })
  lock.release()
}

/** What only one at a time goes on sending. */
interface Turn {
  /** Who has the lock of this name has the turn. */
  readonly lock: string
  /** What that one sends. */
  readonly sends: string
}

const ledgerTurn = (to: LedgerOfTeam): Turn => ({
  lock: sendLockPath(to),
  sends: `${to.ledger} to ${shownAddress(to.address)}`,
})

/** What an agent keeps tells of itself what was sent, and to one team only. */
const nodesTurn = (path: string): Turn => ({ lock: `${path}.team.lock`, sends: path })

/** Whoever is to go on for ever waits for the turn, others leave it to the one who has it. */
async function turnToSend(
  { system, options, console, stopped, isWanted }: Watched,
  { lock: path, sends }: Turn,
): Promise<HeldLock | undefined> {
  const take = () => holdLock(path, system.files.tryLock)
  const first = take()
  if (first !== undefined) return first
  if (!options.quiet) console.print(`another process sends ${sends} already\n`)
  if (options['until-idle'] !== undefined) return undefined
  const isStopped = stopped.then(() => true as const)
  while (isWanted()) {
    if ((await Promise.race([pause(system, takeOverSeconds), isStopped])) === true) break
    const lock = take()
    if (lock !== undefined) return lock
  }
  return undefined
}

const pause = (system: System, seconds: number): Promise<void> =>
  new Promise((done) => void system.clock.after(seconds, done))

function untilStopped({ processes }: System, isQuiet: boolean): Promise<void> {
  const stopped = Promise.withResolvers<void>()
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    processes.onSignal(signal, () => stopped.resolve())
  // The terminal that a workflow was started from may be closed.
  if (isQuiet) processes.onSignal('SIGHUP', () => {})
  return stopped.promise
}

const nodesLine = ({ batches, refused }: NodesSent): string =>
  batches === 0
    ? `${refused.length === 0 ? 'nothing new' : 'sent nothing'} of nodes\n`
    : `sent what was new of nodes, in ${count(batches, 'batch', 'batches')}\n`

const sentLine = ({ attempts, samples }: SentNow): string =>
  attempts === 0 && samples === 0
    ? 'nothing new to send\n'
    : `sent ${count(attempts, 'record')} and ${count(samples, 'sample')}\n`
