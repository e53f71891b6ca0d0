import { resolve } from 'node:path'
import { didYouMean } from '../../model/suggest.ts'
import { filledCommand, ToolMistake, type ToolInput } from '../../model/tool-command.ts'
import type { System } from '../../system/system.ts'
import type { FileTool, FileTools } from '../../workflow/tools/read-tools.ts'
import { configPath, usualConfigPath, type Environment } from '../config-path.ts'
import { settingsError, settingsText } from '../settings-file.ts'
import { UserError } from '../user-error.ts'
import type { WantedJob } from './submission.ts'

const fileName = 'tools.yaml'

/** The tools of a file: the one that was named, or that of the environment, or the user's own. */
export async function loadTools(
  system: System,
  named: string | undefined,
  environment: Environment,
): Promise<FileTools> {
  const path = configPath(system, named ?? environment['JOBMETER_TOOLS'], environment, fileName)
  if (path === undefined)
    throw new UserError(
      `there is no file of tools: make ${usualConfigPath(system, environment, fileName)}, or name one with --tools. For a command, write it after --`,
      'usage',
    )
  return toolsAt(system, path)
}

/** The same for a worker, which needs none. */
export async function loadOwnTools(system: System, environment: Environment): Promise<FileTools> {
  const path = configPath(system, environment['JOBMETER_TOOLS'], environment, fileName)
  return path === undefined ? new Map() : toolsAt(system, path)
}

async function toolsAt(system: System, path: string): Promise<FileTools> {
  const text = settingsText(system, path)
  const { readTools } = await import('../../workflow/tools/read-tools.ts')
  const read = readTools(text, path)
  if (read.kind === 'ok') return read.value
  throw settingsError('file of tools', read.errors)
}

/** What a tool makes of a job: its command, and what it asks for where nobody said otherwise. */
export function toolJob(
  system: System,
  tools: FileTools,
  name: string,
  input: ToolInput,
  wanted: WantedJob,
): WantedJob {
  const tool = tools.get(name)
  if (tool === undefined) {
    const names = [...tools.keys()]
    throw new UserError(
      `no tool is called "${name}".${didYouMean(name, names)} There are: ${names.join(', ')}`,
      'usage',
    )
  }
  const directory = resolve(tool.workingDirectory ?? wanted.known.workingDirectory)
  refuseMissingScript(system, tool, directory, input.script)
  const { requirements: asked, ...known } = wanted.known
  const requirements = {
    cpus: asked?.cpus ?? tool.requirements.cpus,
    memoryBytes: asked?.memoryBytes ?? tool.requirements.memoryBytes,
    gpus: asked?.gpus ?? tool.requirements.gpus,
    runtimeSeconds: asked?.runtimeSeconds ?? tool.requirements.runtimeSeconds,
  }
  const environment = { ...tool.environment, ...wanted.environment }
  const inside = {
    directory,
    variables: Object.keys(environment),
    gpus: requirements.gpus ?? 0,
    script: scriptOutside(system, tool, directory, input.script),
  }
  return {
    ...wanted,
    command: inContainer(tool, inside, commandOf(name, tool, input)),
    known: {
      ...known,
      workingDirectory: directory,
      tool: name,
      script: input.script ?? undefined,
      params: input.params,
      requirements,
    },
    image: tool.image ?? '',
    environment,
    labels: [...new Set([...tool.labels, ...wanted.labels])],
    timeoutSeconds: wanted.timeoutSeconds ?? tool.timeoutSeconds,
    memoryLimitBytes: wanted.memoryLimitBytes ?? tool.memoryLimitBytes,
  }
}

function commandOf(name: string, { command }: FileTool, input: ToolInput): readonly string[] {
  try {
    return filledCommand(name, command, input)
  } catch (error) {
    throw error instanceof ToolMistake ? new UserError(error.message, 'usage') : error
  }
}

/** What of the job must be had inside its container. */
interface Inside {
  readonly directory: string
  /** By their names alone: values are not for everybody to see in a list of processes. */
  readonly variables: readonly string[]
  readonly gpus: number
  /** A script that is not in the folder. */
  readonly script: string | undefined
}

/** Which GPUs a job may use, as its worker says. */
const gpuVariables = ['CUDA_VISIBLE_DEVICES', 'ROCR_VISIBLE_DEVICES']

/** All of them: which ones are the job's own is known only to its worker, and told by variables. */
const allGpus = {
  docker: ['--gpus', 'all'],
  podman: ['--device', 'nvidia.com/gpu=all'],
} as const

/** The folder of the job, and its script, are the same inside. */
function inContainer(
  { image, engine }: FileTool,
  { directory, variables, gpus, script }: Inside,
  command: readonly string[],
): readonly string[] {
  if (image === null) return command
  const names = gpus > 0 ? [...new Set([...variables, ...gpuVariables])] : variables
  return [
    engine,
    'run',
    '--rm',
    ...names.flatMap((name) => ['--env', name]),
    ...(gpus > 0 ? allGpus[engine] : []),
    '--volume',
    `${directory}:${directory}`,
    ...(script === undefined ? [] : ['--volume', `${script}:${script}:ro`]),
    '--workdir',
    directory,
    image,
    ...command,
  ]
}

/** One that is not there may be in the image. */
function scriptOutside(
  { files }: System,
  { command }: FileTool,
  directory: string,
  script: string | null,
): string | undefined {
  if (script === null || !usesScript(command)) return undefined
  const path = resolve(directory, script)
  return path.startsWith(`${directory}/`) || files.isMissing(path) ? undefined : path
}

const usesScript = (command: readonly string[]): boolean =>
  command.some((word) => word.includes('{script}'))

function refuseMissingScript(
  { files }: System,
  { scriptIsFile, command }: FileTool,
  directory: string,
  script: string | null,
): void {
  if (script === null || !scriptIsFile || !usesScript(command)) return
  const path = resolve(directory, script)
  if (files.isMissing(path))
    throw new UserError(
      `there is no script ${path}. If it is only where the workers are, set script_is_file: false for the tool`,
      'usage',
    )
}
