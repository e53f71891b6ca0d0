import { JobMonitor } from '../../monitor/job-monitor.ts'
import { TaskPipeline, type WorkflowTask } from '../../monitor/pipeline/task-pipeline.ts'
import type { ToolDefinition, Tools } from '../../monitor/pipeline/tools.ts'
import { MessageError, type Fields } from './message.ts'
import type { Handlers } from './handlers.ts'

type Plain = Readonly<Record<string, unknown>>

/** The messages of tasks. Pipelines with the same settings are one, so that their tasks wait for each other. */
export class TaskMessages {
  readonly #pipelines = new Map<string, TaskPipeline>()
  readonly #pipelineOf = new Map<string, TaskPipeline>()

  readonly handlers: Handlers = {
    tasks_submit: async (fields) => {
      const pipeline = this.#pipelineFor(fields)
      const sequential = fields.flag('sequential') ?? false
      const taskIds = await pipeline.submitWorkflow(tasksIn(fields), { sequential })
      for (const taskId of taskIds) this.#pipelineOf.set(taskId, pipeline)
      return { task_ids: taskIds }
    },
    // Answers at once: who waits asks again, and the messages of others are not held up.
    task_status: async (fields) => {
      const taskId = fields.requiredText('task_id')
      const pipeline = this.#pipelineWith(taskId)
      const status = await pipeline.getTaskStatus(taskId)
      const isOver = status !== 'pending' && status !== 'running'
      return { status, result: isOver ? await pipeline.waitForTask(taskId) : null }
    },
    task_cancel: async (fields) => {
      const taskId = fields.requiredText('task_id')
      return { cancelled: await this.#pipelineWith(taskId).cancelTask(taskId) }
    },
  }

  /** Ends what runs: nobody is left who could hear of it. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#pipelines.values(), (pipeline) => pipeline.close()))
  }

  #pipelineFor(fields: Fields): TaskPipeline {
    const logDir = fields.text('log_dir')
    const ledger = fields.text('ledger')
    const outputDir = fields.text('output_dir')
    const parallel = fields.number('parallel')
    const tools = toolsIn(fields)
    const key = JSON.stringify([logDir, ledger, outputDir, parallel, tools])
    const known = this.#pipelines.get(key)
    if (known !== undefined) return known
    const monitor = new JobMonitor({
      ...(logDir === undefined ? {} : { logDir }),
      ...(ledger === undefined ? {} : { ledger }),
    })
    const pipeline = new TaskPipeline({
      tools,
      monitor,
      ...(outputDir === undefined ? {} : { outputDir }),
      ...(parallel === undefined ? {} : { parallel }),
    })
    this.#pipelines.set(key, pipeline)
    return pipeline
  }

  #pipelineWith(taskId: string): TaskPipeline {
    const pipeline = this.#pipelineOf.get(taskId)
    if (pipeline === undefined) throw new MessageError(`there is no task "${taskId}"`)
    return pipeline
  }
}

function toolsIn(fields: Fields): Tools {
  const folder = fields.text('working_directory')
  const given = Object.entries(fields.record('tools') ?? {})
  return Object.fromEntries(given.map(([name, tool]) => [name, definitionOf(name, tool, folder)]))
}

function definitionOf(name: string, tool: unknown, folder: string | undefined): ToolDefinition {
  const given: Plain = isPlain(tool) ? tool : { command: tool }
  const { command, environment } = given
  const wrong = (what: string): never => {
    throw new MessageError(`the tool "${name}" must have ${what}`)
  }
  if (!isTexts(command)) return wrong('a command that is a list of texts')
  if (environment !== undefined && !(isPlain(environment) && isTexts(Object.values(environment))))
    return wrong('an environment of texts')
  const workingDirectory = given['working_directory'] ?? folder
  const timeoutSeconds = given['timeout_seconds']
  const memoryLimitBytes = given['memory_limit_bytes']
  return {
    command,
    scriptIsFile: given['script_is_file'] !== false,
    ...(typeof workingDirectory === 'string' ? { workingDirectory } : {}),
    ...(environment === undefined ? {} : { environment: environment as Record<string, string> }),
    ...(typeof timeoutSeconds === 'number' ? { timeoutSeconds } : {}),
    ...(typeof memoryLimitBytes === 'number' ? { memoryLimitBytes } : {}),
  }
}

function tasksIn(fields: Fields): readonly WorkflowTask[] {
  const tasks = fields.list('tasks') ?? []
  return tasks.map((task): WorkflowTask => {
    if (!isPlain(task)) throw new MessageError('each task is an object with a "tool"')
    const { tool, script, params, timeout_seconds: timeoutSeconds } = task
    if (typeof tool !== 'string') throw new MessageError('each task has a "tool", which is a text')
    return {
      tool,
      ...(typeof script === 'string' ? { script } : {}),
      ...(isPlain(params) ? { params } : {}),
      ...(typeof timeoutSeconds === 'number' ? { timeoutSeconds } : {}),
    }
  })
}

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
