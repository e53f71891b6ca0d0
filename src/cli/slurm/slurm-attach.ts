import { chosenGauges } from '../../meter/gauges/chosen.ts'
import { Meter } from '../../meter/meter.ts'
import { describeJob } from '../../model/describe-job.ts'
import type { Job } from '../../model/job.ts'
import { Recording } from '../../record/recording.ts'
import { adminComment } from '../../service/slurm/admin-comment.ts'
import { findOnNode } from '../../service/slurm/find-on-node.ts'
import { followSlurmJob } from '../../service/slurm/follow-slurm-job.ts'
import { UserError } from '../../service/user-error.ts'
import { readCommandWords } from '../../sensors/procfs/cmdline.ts'
import { givenEnvironment } from '../../system/given.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import { SlurmCommands } from '../../workflow/executors/slurm/slurm-commands.ts'
import { commandAction } from '../command/action.ts'
import { alertsOption } from '../command/alerts-option.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { findLedger } from '../ledger/ledger-place.ts'
import { endWatch } from '../run/end-watch.ts'
import { alertsOfWatched } from '../run/watched-alerts.ts'

const definition = defineCommand({
  name: 'slurm attach',
  aliases: [],
  summary: 'Follows a job of Slurm that was submitted without jobmeter, on the node it runs on.',
  usage: 'slurm attach JOBID [options]',
  description:
    "Ctrl-C ends the watching, never the job. The processes are found by their cgroup, and those of the job's user by their environment, so they must be yours, or you root. Figures count from the moment the watching began, or with --wait from the start of the job. On a job of several nodes, each node has to be watched.",
  arguments: [{ name: 'jobid', required: true, says: 'the number of the job, as squeue shows it' }],
  options: {
    wait: {
      type: 'duration',
      value: 'TIME',
      min: 0,
      says: 'wait so long for the job to start on this node, and count from its start',
    },
    interval: {
      type: 'duration',
      value: 'TIME',
      default: 1,
      min: 0.01,
      says: 'time between samples',
    },
    'admin-comment': {
      type: 'boolean',
      says: "at the end, write what the job used into its AdminComment (for Slurm's operators)",
    },
    ...alertsOption,
    quiet: {
      type: 'boolean',
      short: 'q',
      says: 'print only errors, and the record if --format json is given',
    },
    ...globalOptions,
  },
  examples: ['jobmeter slurm attach 4711', 'jobmeter slurm attach 4711 --wait 1h --interval 10'],
})

export const execute = commandAction(
  definition,
  async ({ options, arguments: { jobid }, console }) => {
    if (!/^[1-9]\d*$/.test(jobid))
      throw new UserError(`${jobid} is not the number of a job: write 4711`, 'usage')
    const system = realSystem({ ownsProcess: false, mostlyWaits: true })
    const commands = new SlurmCommands(system, givenEnvironment())
    const found = await findOnNode(system, commands, jobid, {
      seconds: options.wait ?? 0,
      note: (text) => (options.quiet ? undefined : console.complain(text)),
    })
    const { job, batchHost } = await describeAttached(system, commands, jobid, found.pid)
    const meter = new Meter(system, await chosenGauges(system, []))
    const ledger = findLedger(system, options.db, options)
    const recording = await Recording.begin(system, ledger, job, {
      machineMemoryBytes: meter.machineMemoryBytes(),
      columns: meter.columns,
      intervalSeconds: options.interval,
      alone: true,
    })
    const subject = { ledger, job, recording }
    const watched = await alertsOfWatched(system, meter, subject, options, console)
    const result = await followSlurmJob(
      { system, meter, commands },
      {
        job: jobid,
        ...found,
        intervalSeconds: options.interval,
        fromStart: options.wait !== undefined,
        recordedStart: recording.startedAt,
        ...watched.sinks,
      },
    )
    const record = await endWatch(system, { recording, result, watched }, options, console)
    // Of several nodes, the first speaks for the job.
    if (options['admin-comment'] && (batchHost === '' || batchHost === system.host.name))
      await commands
        .comment(jobid, adminComment(record))
        .catch((error: unknown) => console.complain(`no AdminComment: ${String(error)}`))
    return 0
  },
)

/** The job for its record, as Slurm calls it, and the node that its batch script runs on. */
async function describeAttached(
  system: System,
  commands: SlurmCommands,
  jobid: string,
  pid: number,
): Promise<{ readonly job: Job; readonly batchHost: string }> {
  const fields = await commands.fieldsOf(jobid, ['Name', 'UserName', 'BatchHost'])
  const [name = '', user = '', batchHost = ''] = fields
  const job = describeJob(readCommandWords(system.files, pid) ?? ['slurm'], {
    name: name === '' ? `slurm ${jobid}` : name,
    tags: ['watched', 'slurm'],
    params: { slurm_job_id: jobid, slurm_user: user },
    workingDirectory: '',
  })
  return { job, batchHost }
}
