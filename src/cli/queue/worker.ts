import { JobCgroups } from '../../launch/job-cgroups.ts'
import { Meter } from '../../meter/meter.ts'
import { openQueueOnceThere, telling } from '../../service/queue/open-queue.ts'
import { shownAddress } from '../../store/ledger/team-address.ts'
import { addressAsked } from './address.ts'
import { QueueWorker } from '../../service/queue/worker.ts'
import { logDirectoryFor } from '../../service/queue/worker-logs.ts'
import { loadAdmission } from '../../service/queue/load-admission.ts'
import { sendAlong } from '../../service/team/send-along.ts'
import { capacityOf, machineOf } from '../../service/capacity.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'
import { findLedger } from '../ledger/ledger-place.ts'
import { queueOptions } from './queue-options.ts'

const { db } = queueOptions
const definition = defineCommand({
  name: 'worker',
  aliases: [],
  summary: 'Takes jobs from the queue of the team and runs them on this machine, as you.',
  usage: 'worker [options]',
  description:
    'Takes what fits its free CPUs, memory, GPUs and labels. Each job is measured and recorded in your own ledger first, as by `jobmeter run`. After SIGTERM or Ctrl-C it takes nothing more and ends when its jobs have ended; a second one ends the jobs, and other workers run them again.',
  arguments: [],
  options: {
    cpus: { type: 'number', value: 'N', min: 0.001, says: 'CPUs for jobs (default: all)' },
    memory: {
      type: 'bytes',
      value: 'SIZE',
      min: 1,
      needsUnit: true,
      says: 'memory for jobs (default: all)',
    },
    gpus: { type: 'number', value: 'N', min: 0, whole: true, says: 'GPUs for jobs (default: all)' },
    labels: {
      type: 'list',
      commas: 'always',
      value: 'LABEL',
      example: 'fast,scratch',
      says: 'what jobs may ask this worker to have',
    },
    lease: {
      type: 'duration',
      value: 'TIME',
      default: 60,
      min: 2,
      says: 'how long it may be cut off from the database before its jobs are ended, and given to others',
    },
    config: {
      type: 'string',
      value: 'FILE',
      says: 'what it accepts: users, tools, commands and images (default: worker.yaml beside your other settings, else your own jobs only)',
    },
    ledger: { type: 'string', value: 'PATH', says: 'your own ledger instead of the usual one' },
    db,
  },
  examples: [
    'jobmeter worker --db postgres://db.example.org/jobmeter',
    'jobmeter worker --cpus 8 --memory 64g --gpus 2 --labels fast,scratch',
  ],
})

export const execute = commandAction(definition, async ({ options, console }) => {
  const system = realSystem({ ownsProcess: true })
  const ledger = findLedger(system, options.ledger, { quiet: false })
  const address = addressAsked(options.db, system, ledger)
  const note = (message: string): void => console.complain(message)
  const { clock } = system
  const queue = await openQueueOnceThere(address, Math.max(2, options.lease / 2), { clock, note })
  const user = await telling(address, () => queue.nameFor(system.host.user))
  const admission = await loadAdmission(system, user, options.config, process.env)
  const meter = new Meter(system)
  const capacity = capacityOf(system, meter, {
    cpus: options.cpus,
    memoryBytes: options.memory,
    gpus: options.gpus,
  })
  system.expectManyJobs()
  const worker = new QueueWorker(
    {
      system,
      meter,
      cgroups: new JobCgroups(system),
      ledger,
      machine: machineOf(system, meter),
      logDirectory: logDirectoryFor(ledger),
    },
    queue,
    {
      capacity,
      labels: options.labels,
      leaseSeconds: options.lease,
      team: address,
      admission,
    },
    note,
  )
  let signals = 0
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    system.processes.onSignal(signal, () => {
      signals += 1
      if (signals === 1) {
        console.complain('takes no more jobs, and ends with those that it has; again: ends them')
        worker.drain()
      } else worker.endJobs()
    })
  console.complain(`takes jobs from ${shownAddress(address)}`)
  // Records are this machine's first; what sends them on has a process of its own.
  const stopSending = sendAlong(system, ledger, { team: address })
  await telling(address, () => worker.run())
  stopSending()
  await queue.close()
  return system.processes.exit(0)
})
