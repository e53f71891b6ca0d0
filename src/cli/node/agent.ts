import { resolve as wholePath } from 'node:path'
import { AgentLoop, type AgentSettings } from '../../agent/agent-loop.ts'
import type { AgentConfig } from '../../agent/config/agent-config.ts'
import { NodeGpus } from '../../agent/gpus/node-gpus.ts'
import { NodeSampler } from '../../agent/node-sampler.ts'
import { openTaskstats } from '../../agent/processes/taskstats-records.ts'
import { formatBytes } from '../../model/bytes.ts'
import { count } from '../../model/count.ts'
import type { NodeRound } from '../../model/node-round.ts'
import { whyNot } from '../../model/reading.ts'
import { sendAlong } from '../../service/team/send-along.ts'
import { UserError } from '../../service/user-error.ts'
import { openNodeStore } from '../../store/node/open-node.ts'
import { usualRetention } from '../../store/node/retention.ts'
import { realSystem } from '../../system/real.ts'
import type { Processes, System } from '../../system/system.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { findLedger } from '../ledger/ledger-place.ts'
import { RemoteMetrics } from '../remote/remote-metrics.ts'
import type { Console } from '../terminal/console.ts'
import { openDoor, refuseOthersPlace, shareStore } from './agent-access.ts'
import { loadAgentConfig } from './agent-config.ts'
import { AgentPolicies, policiesOption } from './agent-policies.ts'
import { agentDatabase, nodeDatabaseOption } from './node-options.ts'

const definition = defineCommand({
  name: 'agent',
  aliases: [],
  summary: 'Samples the whole node, all processes of all users, until it is stopped.',
  usage: 'agent [options]',
  description:
    'Groups all processes into jobs and keeps what each used. As root it sees everything; as anybody else, less. SIGHUP has it read its configuration again. Ask with jobmeter ps, usage and uptime: users are shown their own jobs, root and the group that the configuration names as administrators all.',
  arguments: [],
  options: {
    interval: {
      type: 'duration',
      value: 'TIME',
      example: '60s',
      min: 0.1,
      says: 'how often to look, instead of what the configuration says (default 60s)',
    },
    config: {
      type: 'string',
      value: 'FILE',
      example: '/etc/jobmeter/agent.yaml',
      says: 'the configuration (default /etc/jobmeter/agent.yaml, if it is there)',
    },
    ...policiesOption,
    once: { type: 'boolean', says: 'take one round, of one interval, send what it tells, and end' },
    verbose: { type: 'boolean', short: 'v', says: 'a line for each round' },
    ...globalOptions,
    ...nodeDatabaseOption,
  },
  examples: ['jobmeter agent', 'jobmeter agent --interval 10s --db node.db --verbose'],
})

const usualSeconds = 60
/** While it waits it looks at nothing; what cannot be written then waits in memory. */
const lockWait = { milliseconds: 2000 }

export const execute = commandAction(definition, async ({ options, console }) => {
  const system = realSystem({ ownsProcess: false, mostlyWaits: true })
  const settingsOf = (config: AgentConfig): AgentSettings => ({
    intervalSeconds: options.interval ?? config.intervalSeconds ?? usualSeconds,
    retention: { ...usualRetention, ...config.retention },
    impliedGpus: config.impliedGpus,
    slurm: config.slurm,
  })
  const config = await loadAgentConfig(system, options.config)
  const path = agentDatabase(system, options.db ?? config.database ?? undefined)
  refuseOthersPlace(path)
  const store = openNodeStore(path, {
    onProblem: (problem) => console.complain(problem),
    tryLock: system.files.tryLock,
    lockWait,
  })
  shareStore(store, config, console)
  const exits = openTaskstats(system)
  if (exits.kind !== 'ok' && options.verbose)
    console.complain(`${whyNot(exits)}: what ends between two rounds is counted for its parent`)
  const gpus = new NodeGpus(system)
  await gpus.open()
  if (gpus.whyUnlisted !== null)
    console.complain(
      `who uses the GPUs is not known, and no job is judged by it: ${gpus.whyUnlisted}`,
    )
  const policies = new AgentPolicies(system, store, console)
  await policies.load(options.policies ?? config.policies ?? undefined)
  const remote = new RemoteMetrics(system, {
    database: store.path,
    service: 'jobmeter-agent',
    gather: async (states) => {
      const { agentMetrics } = await import('./agent-metrics.ts')
      return agentMetrics(store.reader, states, system.clock.wallSeconds())
    },
    tell: (words) => console.complain(words),
  })
  const sampler = new NodeSampler(system, exits.kind === 'ok' ? exits.value : undefined, gpus)
  let failures = 0
  let isLost = false
  let door: Awaited<ReturnType<typeof openDoor>> | undefined
  const lost = Promise.withResolvers<void>()
  const watcher = {
    stored: (round: NodeRound, number: number) => {
      if (options.verbose || options.once) console.print(roundLine(round, number))
      if (round.lostRecords > 0) tellLost(round, console)
      policies.judge(round)
      void door?.keepOpen()
    },
    failed: (problem: string) => {
      failures += 1
      console.complain(problem)
    },
    lost: (problem: string) => {
      if (!isLost) console.complain(problem)
      isLost = true
      lost.resolve()
    },
  }
  const settings = settingsOf(config)
  const loop = new AgentLoop(system, { store, sampler, watcher }, settings)
  if (options.once) {
    await new Promise<void>((resolve) => system.clock.after(settings.intervalSeconds, resolve))
    loop.round()
    await remote.sendOnce(config.remote)
  } else {
    door = await openDoor(config, store, console)
    const reload = async () => {
      const changed = await loadAgentConfig(system, options.config)
      await policies.load(options.policies ?? changed.policies ?? undefined)
      shareStore(store, changed, console)
      await remote.load(changed.remote)
      loop.change(settingsOf(changed))
    }
    // Before anybody is told that it runs: a signal that nobody waits for would end it.
    const stopped = untilStopped(system, reload, console)
    loop.start()
    await remote.load(config.remote)
    const ledger = findLedger(system, undefined, { quiet: true })
    const stopSending = sendAlong(system, ledger, { nodeDatabase: wholePath(path) })
    console.note(`jobmeter: looking every ${settings.intervalSeconds} s, into ${store.path}\n`)
    await Promise.race([stopped, lost.promise])
    door.close()
    await remote.close()
    loop.stop()
    // What was used since the last round counts too.
    if (!isLost) loop.round()
    stopSending()
  }
  policies.end()
  sampler.close()
  store.close()
  if (options.verbose) console.print(costLine(system.processes))
  return isLost || (failures > 0 && options.once) ? 1 : 0
})

/** Until SIGTERM or SIGINT; SIGHUP reads the configuration again, and one with errors changes nothing. */
async function untilStopped(
  { processes }: System,
  reload: () => Promise<void>,
  console: Console,
): Promise<void> {
  processes.onSignal('SIGHUP', () => {
    reload().then(
      () => console.note('jobmeter: the configuration was read again\n'),
      (error: unknown) => {
        if (!(error instanceof UserError)) throw error
        console.complain(`${error.message}\nthe configuration from before stays in force`)
      },
    )
  })
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) processes.onSignal(signal, () => resolve())
  })
}

const roundLine = ({ jobs, node, seconds }: NodeRound, number: number): string =>
  `round ${number}: ${count(jobs.length, 'job')}, ${count(node.processes, 'process', 'processes')}, ${node.cpuSeconds.toFixed(2)} s of CPU in ${seconds.toFixed(1)} s\n`

const costLine = (processes: Processes): string =>
  `ended; the agent itself used ${processes.ownCpuSeconds().toFixed(3)} s of CPU and ${formatBytes(processes.ownPeakBytes())}\n`

function tellLost({ lostRecords }: NodeRound, console: Console): void {
  console.complain(
    `the kernel dropped the ends of ${count(lostRecords, 'process', 'processes')}: what they used is counted for their parents`,
  )
}
