import type { Workflow } from '../../model/workflow.ts'
import { givenEnvironment } from '../../system/given.ts'
import { programOutput } from '../../system/program-output.ts'
import { RemoteExecutor } from '../../workflow/executors/remote/remote-executor.ts'
import { wordsIn } from '../../workflow/executors/slurm/sbatch-options.ts'
import { SlurmCommands } from '../../workflow/executors/slurm/slurm-commands.ts'
import { SlurmSite } from '../../workflow/executors/slurm/slurm-site.ts'
import { SlurmSpec } from '../../workflow/executors/slurm/slurm-spec.ts'
import { SlurmWorkers } from '../../workflow/executors/slurm/slurm-workers.ts'
import { Submitter } from '../../workflow/executors/slurm/submitter.ts'
import { sameProgram } from '../actions/start-program.ts'
import { UserError } from '../user-error.ts'
import { metricsOf } from '../workflow-metrics.ts'
import { LedgerHandles } from './ledger-handles.ts'
import type { RunPlace, PlaceTools, UsedWorkflow } from './run-place.ts'

/** So many are handed over at most, where nobody says otherwise: a controller is for all its users. */
const mostSubmitted = 1000

/** Slurm, as the user's own commands reach it. */
export async function openSlurmPlace(tools: PlaceTools): Promise<RunPlace> {
  const { system, ledger, settings, note } = tools
  const environment = givenEnvironment()
  await refuseWithoutSlurm(tools)
  let workflow: Workflow | undefined
  let directory = ''
  let spec = new SlurmSpec({ name: 'jobmeter', kept: {}, jobs: [] })
  const commands = new SlurmCommands(system, environment)
  const metrics = () => (workflow === undefined ? [] : metricsOf(workflow))
  const { slurmBy, slurmPollSeconds: pollSeconds = 10 } = settings
  const common = {
    program: programThere(environment),
    directory: () => directory,
    spec: () => spec,
    note,
  }
  const submitter = new Submitter(system, commands, { ...common, byArrays: slurmBy !== 'jobs' })
  const workers = new SlurmWorkers(system, commands, submitter, {
    ...common,
    metrics,
    workingDirectory: tools.workingDirectory,
  })
  const byWorkers = (): boolean =>
    slurmBy === 'workers' || (slurmBy === undefined && asksForNodes(workflow))
  const site = new SlurmSite(
    system,
    commands,
    { submitter, workers: () => (byWorkers() ? workers : null) },
    { pollSeconds, directory: () => directory, note },
  )
  const executor = new RemoteExecutor(system, {
    name: 'slurm',
    site,
    directory: () => directory,
    metrics,
  })
  const { cpus, memoryBytes, maxParallelJobs } = settings.capacity
  return {
    name: 'slurm',
    executor,
    get capacity() {
      const node = {
        machine: { host: 'slurm', cores: 1, memoryBytes: null },
        cpus: cpus ?? Infinity,
        memoryBytes: memoryBytes ?? Infinity,
        gpus: 'given there' as const,
        jobs: Infinity,
      }
      const atOnce = maxParallelJobs ?? workflow?.maxParallelJobs ?? mostSubmitted
      return { nodes: [node], maxParallelJobs: atOnce }
    },
    holds: (handle) => 'folder' in handle && handle.executor === 'slurm',
    notes: new LedgerHandles(ledger, system.clock, note),
    use(used, outputDirectory) {
      refuseLines(outputDirectory)
      workflow = used.workflow
      directory = `${outputDirectory}/attempts/${folderName(used)}`
      spec = new SlurmSpec(used.workflow)
    },
    scheduleNodes: (action) => {
      if (byWorkers()) workers.schedule(action)
    },
    tidy: () => executor.tidy(),
  }
}

/** Workflows that run in one folder have one each: what one of them removes or stops is its own. */
const folderName = ({ workflowId, createdAt }: UsedWorkflow): string =>
  `${workflowId}-${Math.round(createdAt * 1000).toString(36)}`

/** The same installation, which lies under the same path there; `JOBMETER_REMOTE_COMMAND` says where it does not. */
function programThere(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const said = wordsIn(environment['JOBMETER_REMOTE_COMMAND'])
  return said.length > 0 ? said : sameProgram()
}

const asksForNodes = (workflow: Workflow | undefined): boolean =>
  workflow?.actions.some(({ type }) => type === 'schedule_nodes') === true

/** Its batch scripts and lists of attempts have a path on each line. */
function refuseLines(outputDirectory: string): void {
  if (/[\n\r]/.test(outputDirectory))
    throw new UserError(
      `the output directory ${JSON.stringify(outputDirectory)} has a line break in its name, which jobs on Slurm cannot be told. Name another with --output-dir`,
    )
}

async function refuseWithoutSlurm({ system }: PlaceTools): Promise<void> {
  const command = ['sbatch', '--version']
  const program = { command, environment: givenEnvironment(), workingDirectory: '/' }
  const { code } = await programOutput(system.processes, program, 10)
  if (code === 'not there' || code === 127)
    throw new UserError(
      'sbatch was not found. Run this where the commands of Slurm are, with their folder on the PATH, or run the jobs here: --executor local',
    )
}
