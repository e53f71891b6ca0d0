import { resolve } from 'node:path'
import type { QueueOrder } from '../../model/queue-order.ts'
import { programOf } from '../../store/postgres/queue/lanes.ts'
import type { TakenAttempt } from '../../store/postgres/queue/take.ts'
import { programFile } from '../../system/program-file.ts'
import { whereItLeads } from '../../system/where-it-leads.ts'
import type { System } from '../../system/system.ts'
import type { AttemptOrder } from '../../workflow/run/executor.ts'
import type { FileTools } from '../../workflow/tools/read-tools.ts'
import type {
  JobKind,
  Meaning,
  WorkerRules,
} from '../../workflow/worker-rules/read-worker-rules.ts'
import type { Environment } from '../config-path.ts'
import { UserError } from '../user-error.ts'
import { orderedContainer } from './ordered-container.ts'
import { toolJob } from './tool-job.ts'

/** Variables by which clients of containers find another daemon, or are told more than their words say. */
const steersEngine = /^(DOCKER_|CONTAINERS?_|APPTAINER|SINGULARITY)/

const unclear =
  'this worker runs containers only as jobmeter itself writes them, for tools and in workflows: of this command it cannot tell what it runs'

/** What tells the job of a workflow who it is. */
const ofWorkflows = /^JOBMETER_(WORKFLOW_ID|RUN_ID|JOB_ID|JOB_NAME|ATTEMPT|OUTPUT_DIR)$/

/** What is run of an order. */
type Runs = QueueOrder & Pick<AttemptOrder, 'stdin' | 'stdout' | 'stderr'>

/** The files that we open for a job. */
function filesOf(runs: Runs): readonly string[] {
  return [runs.stdin, runs.stdout, runs.stderr].flatMap((path) => path ?? [])
}

function isWithin(directories: readonly string[], path: string): boolean {
  const place = `${whereItLeads(path)}/`
  return directories.some((directory) => {
    const root = whereItLeads(directory)
    return place.startsWith(root.endsWith('/') ? root : `${root}/`)
  })
}

/** What a worker takes, and what it runs of it: by what is on its own machine, not by what submitters say of it. */
export class Admission {
  readonly #system: System
  readonly #rules: WorkerRules
  readonly #tools: FileTools
  readonly #environment: Environment
  readonly #path: string | undefined

  /** `tools` are those of the worker's own file, `environment` is what its jobs have from it. */
  constructor(system: System, rules: WorkerRules, tools: FileTools, environment: Environment) {
    this.#system = system
    this.#rules = rules
    this.#tools = tools
    this.#environment = environment
    this.#path = environment['PATH']
  }

  /** For others to be told of. */
  get text(): string {
    return this.#rules.text
  }

  accepts(kind: JobKind): boolean {
    return this.#rules(kind, this.#meaning('tools', this.#path)) === undefined
  }

  /** What is run of a job here, or why nothing is. */
  admit({ user, order: given }: TakenAttempt): QueueOrder | string {
    const isTool = this.#rules.limitsTools && given.attempt === undefined
    const variable = this.#variableRefused(given)
    if (variable !== undefined)
      return `this worker lets jobs set no variable ${variable}; who runs it can allow that in its file: environment: [${variable}]`
    const order = isTool ? this.#asToolHere(given) : this.#withOurVariables(given)
    if (typeof order === 'string') return order
    const { tool } = order
    const runs = (order.attempt ?? order) as Runs
    const { environment } = runs
    const image = this.#imageOf(order, runs)
    if (typeof image !== 'string') return image.refusal
    const kind = { user, tool, program: programOf(order), image }
    // Who starts it may look on either path.
    for (const path of new Set([this.#path, environment['PATH'] ?? this.#path])) {
      const refusal = this.#rules(kind, this.#meaning(isTool ? 'tools' : 'programs', path))
      if (refusal !== undefined) return refusal
    }
    return this.#outside(runs) ?? order
  }

  /** The first variable of a job that may not be set here, unless our own file of tools sets it just so. */
  #variableRefused({ tool, environment }: QueueOrder): string | undefined {
    const ours = this.#rules.limitsTools ? this.#tools.get(tool)?.environment : undefined
    return Object.entries(environment)
      .filter(([name, value]) => ours?.[name] !== value)
      .map(([name]) => name)
      .find((name) => !this.#rules.allowsVariable(name))
  }

  /** The attempt of a workflow brings the whole environment of its runner, of which no more than we allow comes in. */
  #withOurVariables(order: QueueOrder): QueueOrder {
    const { attempt } = order
    if (attempt === undefined || !this.#rules.limitsPrograms) return order
    const { environment } = attempt as QueueOrder
    const allowed = Object.entries(environment).filter(
      ([name]) => ofWorkflows.test(name) || this.#rules.allowsVariable(name),
    )
    const ours = { ...this.#environment, ...Object.fromEntries(allowed) }
    return { ...order, attempt: { ...(attempt as QueueOrder), environment: ours } }
  }

  /** The image that is really run, where it matters. */
  #imageOf(order: QueueOrder, runs: QueueOrder): string | { readonly refusal: string } {
    if (!this.#rules.limitsImages) return order.image
    const container = orderedContainer(runs.command)
    if (container === 'none')
      return order.image === ''
        ? ''
        : { refusal: `it says that it runs the image ${order.image}, and runs no container` }
    if (container === 'unclear' || !this.#isOurs(container.engine, runs))
      return { refusal: unclear }
    const { environment } = runs
    const isOurs = (name: string): boolean => environment[name] === this.#environment[name]
    const variable = Object.keys(environment).find(
      (name) => steersEngine.test(name) && !isOurs(name),
    )
    if (variable === undefined) return container.image
    return { refusal: `this worker runs no containers of jobs that set ${variable}` }
  }

  /** Whether the engine is found on our own path, and not on one of the job's. */
  #isOurs(engine: string, { environment }: QueueOrder): boolean {
    const file = programFile(engine, this.#path)
    return programFile(engine, environment['PATH'] ?? this.#path) === file
  }

  /** Why what a job would read and write by us is not to be; undefined where it may. */
  #outside(runs: Runs): string | undefined {
    const { limitsPrograms, directories } = this.#rules
    if (directories === null) return undefined
    const files = filesOf(runs).filter((path) => path !== '/dev/null')
    if (directories === undefined)
      return files.length > 0 && limitsPrograms
        ? `this worker limits what is run and names no directories, so it does not write to ${files[0]}`
        : undefined
    const container = orderedContainer(runs.command)
    if (container === 'unclear') return unclear
    const mounts = container === 'none' ? [] : container.mounts
    const named = mounts.find((mount) => !mount.startsWith('/'))
    const from = runs.workingDirectory
    const outside =
      named ??
      [from, ...files, ...mounts].find((path) => !isWithin(directories, resolve(from, path)))
    return outside === undefined
      ? undefined
      : `this worker lets jobs read and write only in ${directories.join(', ')}, and not in ${outside}`
  }

  #asToolHere(order: QueueOrder): QueueOrder | string {
    if (!this.#tools.has(order.tool)) return order
    const { script, params, requirements, workingDirectory, environment } = order
    const set = Object.entries(environment).flatMap(([name, value = '']) => [[name, value]])
    try {
      const { command, image, known, ...made } = toolJob(
        this.#system,
        this.#tools,
        order.tool,
        { script, params },
        {
          ...order,
          environment: Object.fromEntries(set) as Record<string, string>,
          known: { workingDirectory, requirements },
          priority: 0,
          retries: 0,
          interruptions: 0,
          after: null,
        },
      )
      const { environment: variables } = made
      const directory = known.workingDirectory
      return { ...order, command, image, environment: variables, workingDirectory: directory }
    } catch (error) {
      if (error instanceof UserError) return error.message
      throw error
    }
  }

  #meaning(of: 'tools' | 'programs', path: string | undefined): Meaning {
    return {
      hasTool: (name) => of === 'tools' && this.#tools.has(name),
      isProgram: (named, program) => {
        const file = programFile(named, this.#path)
        return file !== undefined && file === programFile(program, path)
      },
    }
  }
}
