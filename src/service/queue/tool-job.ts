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
  const { requirements, ...known } = wanted.known
  return {
    ...wanted,
    command: inContainer(tool, directory, commandOf(name, tool, input)),
    known: {
      ...known,
      workingDirectory: directory,
      tool: name,
      script: input.script ?? undefined,
      params: input.params,
      requirements: {
        cpus: requirements?.cpus ?? tool.requirements.cpus,
        memoryBytes: requirements?.memoryBytes ?? tool.requirements.memoryBytes,
        gpus: requirements?.gpus ?? tool.requirements.gpus,
        runtimeSeconds: requirements?.runtimeSeconds ?? tool.requirements.runtimeSeconds,
      },
    },
    image: tool.image ?? '',
    environment: { ...tool.environment, ...wanted.environment },
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

/** The folder of the job is the same inside; variables are given by their names alone. */
function inContainer(
  { image, engine, environment }: FileTool,
  directory: string,
  command: readonly string[],
): readonly string[] {
  if (image === null) return command
  const variables = Object.keys(environment).flatMap((name) => ['--env', name])
  const place = ['--volume', `${directory}:${directory}`, '--workdir', directory]
  return [engine, 'run', '--rm', ...variables, ...place, image, ...command]
}

function refuseMissingScript(
  { files }: System,
  { scriptIsFile, command }: FileTool,
  directory: string,
  script: string | null,
): void {
  const usesScript = command.some((word) => word.includes('{script}'))
  if (script === null || !scriptIsFile || !usesScript) return
  const path = resolve(directory, script)
  if (files.isMissing(path))
    throw new UserError(
      `there is no script ${path}. If it is only where the workers are, set script_is_file: false for the tool`,
      'usage',
    )
}
