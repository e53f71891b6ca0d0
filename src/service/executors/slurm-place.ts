import type { Workflow, WorkflowAction } from '../../model/workflow.ts'
import { givenEnvironment } from '../../system/given.ts'
import type { Handle } from '../../workflow/executors/handle-in.ts'
import { parseHandle } from '../../workflow/executors/remote/remote-handle.ts'
import { RemoteExecutor } from '../../workflow/executors/remote/remote-executor.ts'
import { wordsIn } from '../../workflow/executors/slurm/sbatch-options.ts'
import { SlurmCommands } from '../../workflow/executors/slurm/slurm-commands.ts'
import { SlurmSite } from '../../workflow/executors/slurm/slurm-site.ts'
import { SlurmSpec } from '../../workflow/executors/slurm/slurm-spec.ts'
import { SlurmWorkers } from '../../workflow/executors/slurm/slurm-workers.ts'
import { Submitter } from '../../workflow/executors/slurm/submitter.ts'
import type { Capacity } from '../../workflow/run/capacity.ts'
import { sameProgram } from '../actions/start-program.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import type { GivenSettings } from '../run-settings.ts'
import { requireSlurm } from '../slurm/require-slurm.ts'
import { UserError } from '../user-error.ts'
import { metricsOf } from '../workflow-metrics.ts'
import { slurmWays, type SlurmBy } from './executor-names.ts'
import { LedgerHandles } from './ledger-handles.ts'
import type { RunPlace, PlaceTools, UsedWorkflow } from './run-place.ts'

/** So many are handed over at most, where nobody says otherwise: a controller is for all its users. */
const mostSubmitted = 1000

/** Slurm, as the user's own commands reach it. */
export async function openSlurmPlace(tools: PlaceTools): Promise<RunPlace> {
  await requireSlurm(tools.system, 'sbatch', ', or run the jobs here: --executor local')
  return new SlurmPlace(tools)
}

class SlurmPlace implements RunPlace {
  readonly name = 'slurm'
  readonly executor: RemoteExecutor
  readonly notes: LedgerHandles
  readonly #settings: GivenSettings
  readonly #ledger: Ledger
  readonly #workers: SlurmWorkers
  /** What is run, and the folder of its attempts, from the time on when that is known. */
  #workflow: Workflow | undefined
  #directory = ''
  /** In the run before this one; null where there was none. */
  #byBefore: SlurmBy | null = null
  #spec = new SlurmSpec({ name: 'jobmeter', kept: {}, jobs: [] })

  constructor({ system, ledger, settings, workingDirectory, trouble }: PlaceTools) {
    const environment = givenEnvironment()
    const { slurmPollSeconds: pollSeconds = 10 } = settings
    const directory = (): string => this.#directory
    const metrics = () => (this.#workflow === undefined ? [] : metricsOf(this.#workflow))
    const program = programThere(environment)
    const common = { program, directory, spec: () => this.#spec, trouble }
    const commands = new SlurmCommands(system, environment)
    const byArrays = (): boolean => this.#by !== 'jobs'
    const submitter = new Submitter(system, commands, { ...common, byArrays })
    const more = { ...common, metrics, workingDirectory }
    this.#settings = settings
    this.#ledger = ledger
    this.#workers = new SlurmWorkers(system, commands, submitter, more)
    const workers = () => (this.#by === 'workers' ? this.#workers : null)
    const by = (): SlurmBy => this.#by
    const ways = { submitter, workers }
    const site = new SlurmSite(system, commands, ways, { pollSeconds, directory, trouble })
    this.executor = new RemoteExecutor(system, { name: this.name, by, site, directory, metrics })
    this.notes = new LedgerHandles(ledger, system.clock, trouble)
  }

  get capacity(): Capacity {
    const { cpus, memoryBytes, maxParallelJobs } = this.#settings.capacity
    const node = {
      machine: { host: 'slurm', cores: 1, memoryBytes: null },
      cpus: cpus ?? Infinity,
      memoryBytes: memoryBytes ?? Infinity,
      gpus: 'given there' as const,
      jobs: Infinity,
    }
    const atOnce = maxParallelJobs ?? this.#workflow?.maxParallelJobs ?? mostSubmitted
    return { nodes: [node], maxParallelJobs: atOnce }
  }

  holds(handle: Handle): boolean {
    return 'folder' in handle && handle.executor === this.name
  }

  use(used: UsedWorkflow, outputDirectory: string): void {
    refuseLines(outputDirectory)
    this.#workflow = used.workflow
    this.#byBefore ??= lastWay(this.#ledger, used.workflowId)
    this.#directory = `${outputDirectory}/attempts/${folderName(used)}`
    this.#spec = new SlurmSpec(used.workflow)
  }

  readonly scheduleNodes = (action: WorkflowAction): void => {
    if (this.#by === 'workers') this.#workers.schedule(action)
  }

  tidy(): void {
    this.executor.tidy()
  }

  /** As is asked for; else as before. */
  get #by(): SlurmBy {
    const usual = asksForNodes(this.#workflow) ? 'workers' : 'arrays'
    return this.#settings.slurmBy ?? this.#byBefore ?? usual
  }
}

/** How the last attempt of a workflow that went to Slurm was handed over. */
function lastWay(ledger: Ledger, workflowId: number): SlurmBy | null {
  const handle = parseHandle(ledger.workflows.handles(workflowId).at(-1)?.handle ?? null)
  return slurmWays.find((way) => way === handle?.by) ?? null
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
