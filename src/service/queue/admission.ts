import type { QueueOrder } from '../../model/queue-order.ts'
import { programOf } from '../../store/postgres/queue/lanes.ts'
import type { TakenAttempt } from '../../store/postgres/queue/take.ts'
import { programFile } from '../../system/program-file.ts'
import type { System } from '../../system/system.ts'
import type { FileTools } from '../../workflow/tools/read-tools.ts'
import type {
  JobKind,
  Meaning,
  WorkerRules,
} from '../../workflow/worker-rules/read-worker-rules.ts'
import { UserError } from '../user-error.ts'
import { toolJob } from './tool-job.ts'

/** Variables by which the loader of programs puts other code into them. */
const loads = /^LD_/

/** What a worker takes, and what it runs of it: by what is on its own machine, not by what submitters say of it. */
export class Admission {
  readonly #system: System
  readonly #rules: WorkerRules
  readonly #tools: FileTools
  readonly #path: string | undefined

  /** `tools` are those of the worker's own file. */
  constructor(system: System, rules: WorkerRules, tools: FileTools, path: string | undefined) {
    this.#system = system
    this.#rules = rules
    this.#tools = tools
    this.#path = path
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
    const order = isTool ? this.#asToolHere(given) : given
    if (typeof order === 'string') return order
    const { tool, image } = order
    const kind = { user, tool, program: programOf(order), image }
    const { environment } = (order.attempt ?? order) as QueueOrder
    // Who starts it may look on either path.
    for (const path of new Set([this.#path, environment['PATH'] ?? this.#path])) {
      const refusal = this.#rules(kind, this.#meaning(isTool ? 'tools' : 'programs', path))
      if (refusal !== undefined) return refusal
    }
    const { limitsTools, limitsCommands } = this.#rules
    const loader = Object.keys(environment).find((name) => loads.test(name))
    return loader !== undefined && (limitsTools || limitsCommands)
      ? `this worker runs no jobs that set ${loader}`
      : order
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
