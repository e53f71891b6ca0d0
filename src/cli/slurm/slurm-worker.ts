import { JobCgroups } from '../../launch/job-cgroups.ts'
import { chosenGauges } from '../../meter/gauges/chosen.ts'
import { Meter } from '../../meter/meter.ts'
import { metricGroups, metricNames } from '../../model/metrics.ts'
import { endLeftHere } from '../../service/executors/end-left-here.ts'
import { openAttemptHost } from '../../service/executors/open-attempt-host.ts'
import { openWorker } from '../../service/executors/slurm-worker.ts'
import { realSystem } from '../../system/real.ts'
import { attemptFolders } from '../../workflow/executors/remote/attempt-folder.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'

/** It took no job: none was there that fits. */
const nothingCode = 3

const definition = defineCommand({
  name: 'slurm worker',
  aliases: [],
  summary: 'Pulls jobs of a workflow and runs them in the allocation that it is started in.',
  usage: 'slurm worker DIR [options]',
  description:
    'Started in allocations by a workflow that runs on Slurm; you do not need to call it. It ends when the workflow is over, or when no job has come for a while. The exit code is 0, or 3 if it took no job.',
  arguments: [{ name: 'dir', required: true, says: 'the folder of attempts of the run' }],
  options: {
    scheduler: { type: 'string', value: 'NAME', says: 'take jobs of this scheduler, and of none' },
    'max-parallel-jobs': {
      type: 'number',
      value: 'N',
      min: 1,
      whole: true,
      says: 'how many jobs may run at the same time (default: as many as fit)',
    },
    metrics: {
      type: 'list',
      commas: true,
      value: 'LIST',
      choices: [...metricNames, ...metricGroups],
      says: 'what to measure, instead of what is measured by default',
    },
    idle: {
      type: 'duration',
      value: 'TIME',
      default: 60,
      min: 0,
      says: 'end after so long without a job',
    },
    'end-left': {
      type: 'boolean',
      says: 'run nothing: end what is left here of the jobs of a worker of this allocation that was killed',
    },
    persistent: { type: 'boolean', says: 'stay until the workflow or the allocation is over' },
  },
  examples: ['jobmeter slurm worker output/attempts/1-mhx3k0f2 --idle 5m'],
})

export const execute = commandAction(
  definition,
  async ({ options, arguments: { dir }, warmUp }) => {
    const system = realSystem({ ownsProcess: true })
    if (options['end-left']) {
      endLeftHere(system, attemptFolders(system.files, dir))
      return 0
    }
    const meter = new Meter(system, await chosenGauges(system, options.metrics))
    const host = openAttemptHost({ system, meter, cgroups: new JobCgroups(system) }, dir)
    const worker = openWorker({ system, meter, host }, dir, {
      scheduler: options.scheduler ?? null,
      idleSeconds: options.persistent ? null : options.idle,
      maxParallelJobs: options['max-parallel-jobs'],
    })
    await warmUp
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      system.processes.onSignal(signal, () => worker.end(signal))
    await worker.run()
    return system.processes.exit(worker.taken > 0 ? 0 : nothingCode)
  },
)
