import { serverApp } from '../../server/app.ts'
import { placeOf, shownHost } from '../../server/config/place.ts'
import { refuseUnsafePlace } from '../../server/config/safe-place.ts'
import type { Place, ServerConfig } from '../../server/config/server-config.ts'
import { Networks } from '../../server/config/place.ts'
import { faultLog } from '../../server/limits/fault-log.ts'
import { logKinds, RequestLog } from '../../server/limits/request-log.ts'
import { listen, type Listening } from '../../server/serve.ts'
import { isTeam, readTls, wallSettings } from '../../server/settings.ts'
import { serverFamilies } from '../../render/metrics/metrics-text.ts'
import { TokenCheck } from '../../service/tokens/token-check.ts'
import { UserError } from '../../service/user-error.ts'
import { StoreError } from '../../store/errors.ts'
import { LoopDelay } from '../../system/loop-delay.ts'
import { realSystem } from '../../system/real.ts'
import { newSecret } from '../../system/token-secret.ts'
import { signalNumber } from '../../system/signals.ts'
import type { System } from '../../system/system.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { ledgerToServe } from '../ledger/ledger.ts'
import type { Console } from '../terminal/console.ts'
import { RemoteMetrics } from '../remote/remote-metrics.ts'
import { openBrowser } from './open-browser.ts'
import { loadServerConfig } from './server-config.ts'
import { nodeDbOption } from '../node/node-db-option.ts'
import { openServed, type OpenedServed } from './served.ts'

const usualPlace: Place = { host: '127.0.0.1', port: 7411 }

/** All that is left to do when it is told to end takes no longer. */
const lastSeconds = 4.5

const definition = defineCommand({
  name: 'serve',
  aliases: [],
  summary: 'Serves the dashboard and the API, until it is stopped.',
  usage: 'serve [options]',
  description:
    'Prints an address with a token in it: whoever has it sees all that the ledger holds. Only programs on this machine can reach it, unless a configuration says how people sign in. SIGHUP has it read the configuration again: who may see what, the certificate, and whom metrics are sent to.',
  arguments: [],
  options: {
    listen: {
      type: 'string',
      value: 'HOST:PORT',
      example: '127.0.0.1:7411',
      says: 'where to listen, instead of what the configuration says (default 127.0.0.1:7411); port 0 takes any that is free',
    },
    config: {
      type: 'string',
      value: 'FILE',
      example: '/etc/jobmeter/server.yaml',
      says: 'the configuration (default ~/.config/jobmeter/server.yaml, if it is there)',
    },
    open: { type: 'boolean', says: 'open the dashboard in a browser' },
    log: {
      type: 'choice',
      choices: logKinds,
      default: 'refused',
      says: 'which requests get a line on standard error',
    },
    ...nodeDbOption,
    ...globalOptions,
  },
  examples: ['jobmeter serve --open', 'jobmeter serve --listen 127.0.0.1:0'],
})

export const execute = commandAction(definition, async ({ options, console }) => {
  const system = realSystem({ ownsProcess: false, mostlyWaits: true })
  const config = await loadServerConfig(system, options.config)
  const place = placeAsked(options.listen) ?? config.listen ?? usualPlace
  refuseUnsafePlace(place, config)
  const log = new RequestLog((line) => console.note(line), system.clock, options.log)
  const token = newSecret()
  let { people } = config
  let peopleChange = new AbortController()
  const ledger = await ledgerToServe(system, options.db)
  const nodePath = options['node-db']
  // No reason to refuse: an agent that makes it may be started later.
  if (nodePath !== undefined && system.files.isMissing(nodePath))
    console.complain(
      `there is no database of an agent at ${nodePath}; nodes are shown once there is`,
    )
  const tokens = new TokenCheck(system, ledger.path, (problem) => console.complain(problem))
  const closing = new AbortController()
  const served = openServed(system, ledger, config, {
    nodePath,
    closing: closing.signal,
    tell: (problem) => console.complain(problem),
  })
  const { tls } = config
  // Half of the descriptors are for all else: with none left, nobody could be answered.
  const connections = Math.min(config.limits.connections, system.host.mostDescriptors >> 1)
  const limits = { ...config.limits, connections }
  const proxies = new Networks(config.proxy?.trusted ?? [])
  const listening = await listen(
    {
      place,
      tls: tls === null ? null : readTls(system, tls),
      limits,
      log,
      isTrusted: (address) => proxies.holds(address),
      closing,
    },
    (port) =>
      serverApp(served, {
        ...wallSettings({
          system,
          config,
          people: () => people,
          peopleChange: () => peopleChange.signal,
          place: { ...place, port },
          token,
          findToken: (text) => tokens.find(text),
          isTokenGood: (text) => tokens.isGood(text),
          log,
        }),
        onFault: faultLog((words) => console.complain(words), system.clock),
      }),
  )
  const loopDelay = new LoopDelay()
  const remote = new RemoteMetrics(system, {
    database: ledger.path,
    service: 'jobmeter-server',
    gather: async () => serverFamilies(await served.metrics.gather(), served.own.taken(loopDelay)),
    tell: (words) => console.complain(words),
  })
  served.own.askRemote(() => remote.states())
  const stopped = untilStopped(system)
  system.processes.onSignal('SIGHUP', () => {
    void readAgain(system, options.config, listening, console, async (changed) => {
      people = changed.people
      // Whoever follows a stream comes back, and is told what they may see now.
      peopleChange.abort()
      peopleChange = new AbortController()
      await remote.load(changed.remote)
    })
  })
  await remote.load(config.remote)
  const here = hereOf(config, { ...place, port: listening.port })
  const address = addressOf(config, here, token)
  if (config.address !== null) console.note(`jobmeter: listening on ${here}\n`)
  console.print(
    options.format === 'json'
      ? `${JSON.stringify({ address: here, url: address, pid: process.pid })}\n`
      : `${address}\n`,
  )
  if (ledger.team !== undefined) void tellWhatIsWrong(served, console)
  const removePage = options.open ? openBrowser(system, address, console) : undefined
  await stopped
  // Questions that hang, in a thread of ours or in a database, hold nobody up.
  system.clock.after(lastSeconds, () => system.processes.exit(0))
  await remote.close()
  loopDelay.close()
  await listening.stop()
  removePage?.()
  tokens.close()
  served.close()
  return system.processes.exit(0)
})

/** Of a team's ledger that cannot be read. No reason to end: it may be there again in a moment. */
async function tellWhatIsWrong(served: OpenedServed, console: Console): Promise<void> {
  try {
    await served.ledger.workflows.newestWorkflowId()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    console.complain(`${error.message}. Until then, questions are answered with 503`)
  }
}

function placeAsked(text: string | undefined): Place | undefined {
  if (text === undefined) return undefined
  const place = placeOf(text)
  if (place === undefined)
    throw new UserError(`${text} is not HOST:PORT, such as 127.0.0.1:7411`, 'usage')
  return place
}

const hereOf = ({ tls }: ServerConfig, { host, port }: Place): string =>
  `${tls === null ? 'http' : 'https'}://${shownHost(host)}:${port}/`

/** What people open: with the token where that is how they sign in. */
function addressOf(config: ServerConfig, here: string, token: string): string {
  const base = config.address?.href ?? here
  return isTeam(config) ? base : `${base}?token=${token}`
}

/** Until SIGTERM or SIGINT; a second one ends the program at once. */
function untilStopped({ processes }: System): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      processes.onSignal(signal, () => {
        if (isStopping) processes.exit(128 + signalNumber(signal))
        isStopping = true
        resolve()
      })
  })
}

/** One with errors changes nothing. */
async function readAgain(
  system: System,
  named: string | undefined,
  listening: Listening,
  console: Console,
  take: (config: ServerConfig) => Promise<void>,
): Promise<void> {
  try {
    const config = await loadServerConfig(system, named)
    if (config.tls !== null) listening.renewTls(readTls(system, config.tls))
    await take(config)
    console.note('jobmeter: the configuration was read again\n')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    console.complain(`${why}\nthe configuration from before stays in force`)
  }
}
