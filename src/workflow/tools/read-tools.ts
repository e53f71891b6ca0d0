import type * as z from 'zod'
import { parseBytes } from '../../model/bytes.ts'
import { parseDuration } from '../../model/duration.ts'
import type { Requirements } from '../../model/job.ts'
import { readChecked, type Checked } from '../spec/read-checked.ts'
import { toolFile } from './definition.ts'

/** A tool as a file of tools has it. */
export interface FileTool {
  readonly command: readonly string[]
  /** The container image that it runs in; null where it runs in none. */
  readonly image: string | null
  readonly engine: 'docker' | 'podman'
  readonly requirements: Requirements
  readonly timeoutSeconds: number | null
  readonly memoryLimitBytes: number | null
  readonly environment: Readonly<Record<string, string>>
  readonly workingDirectory: string | null
  readonly scriptIsFile: boolean
  readonly labels: readonly string[]
}

export type FileTools = ReadonlyMap<string, FileTool>

/** Reads a file of tools, or all that is wrong with it. */
export const readTools = (text: string, fileName: string): Checked<FileTools> =>
  readChecked(text, fileName, toolFile, {
    expected: 'a mapping of tools',
    make: ({ tools }) => new Map(Object.entries(tools).map(([name, tool]) => [name, toolOf(tool)])),
  })

type Written = z.infer<typeof toolFile>['tools'][string]

function toolOf(tool: Written): FileTool {
  return {
    command: tool.command,
    image: tool.image ?? null,
    engine: tool.engine ?? 'docker',
    requirements: {
      cpus: tool.cpus ?? null,
      memoryBytes: bytesOf(tool.memory),
      gpus: tool.gpus ?? null,
      runtimeSeconds: secondsOf(tool.runtime),
    },
    timeoutSeconds: secondsOf(tool.timeout),
    memoryLimitBytes: bytesOf(tool.memory_limit),
    environment: Object.fromEntries(
      Object.entries(tool.environment ?? {}).map(([name, value]) => [name, String(value)]),
    ),
    workingDirectory: tool.working_directory ?? null,
    scriptIsFile: tool.script_is_file ?? tool.image === undefined,
    labels: tool.labels ?? [],
  }
}

const bytesOf = (value: string | number | undefined): number | null =>
  value === undefined ? null : (parseBytes(String(value)) ?? null)

const secondsOf = (value: string | number | undefined): number | null =>
  value === undefined ? null : (parseDuration(String(value)) ?? null)
