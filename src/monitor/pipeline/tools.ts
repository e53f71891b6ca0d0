import { resolve } from 'node:path'
import { didYouMean } from '../../model/suggest.ts'
import { checkedCommand, filledCommand, ToolMistake } from '../../model/tool-command.ts'
import type { Files } from '../../system/system.ts'
import { MonitorError } from '../monitor-error.ts'

/**
 * What a task is about.
 *
 * @see ToolDefinition
 */
export interface ToolTask {
  readonly script: string | null
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * A program and its arguments, in which `{script}`, `{params.mesh_size}` and `{params}`, all of them as JSON, are filled
 * in; or a function that answers them. No shell reads them.
 *
 * @see ToolDefinition
 */
export type ToolCommand = readonly string[] | ((task: ToolTask) => readonly string[])

/**
 * How a tool is run.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import {
 *   TaskPipeline,
 *   type ToolCommand,
 *   type ToolDefinition,
 *   type Tools,
 *   type ToolTask,
 * } from 'jobmeter'
 *
 * const words: ToolCommand = ['echo', '{params.text}']
 * const limited: ToolDefinition = {
 *   command: ({ script, params }: ToolTask) => ['echo', `${script}: ${String(params['mesh_size'])}`],
 *   scriptIsFile: false,
 *   timeoutSeconds: 60,
 *   memoryLimitBytes: 2 ** 30,
 * }
 * const tools: Tools = { words, limited }
 * await using pipeline = new TaskPipeline({ tools })
 * const task = await pipeline.submitTask('limited', 'poisson.py', { mesh_size: 64 })
 * assert.equal((await pipeline.waitForTask(task)).stdout, 'poisson.py: 64\n')
 * ```
 */
export interface ToolDefinition {
  readonly command: ToolCommand
  /** Where it runs and where its scripts are; by default where the program is. */
  readonly workingDirectory?: string
  /** Variables on top of the program's own environment. */
  readonly environment?: Readonly<Record<string, string>>
  readonly timeoutSeconds?: number
  readonly memoryLimitBytes?: number
  /** Whether scripts must be there before a task is taken; true by default. False for scripts inside a container. */
  readonly scriptIsFile?: boolean
}

/**
 * The tools of a pipeline by name.
 *
 * @see ToolDefinition
 */
export type Tools = Readonly<Record<string, ToolCommand | ToolDefinition>>

/** The definition of a tool, whichever way it was written. */
export function findTool(tools: Tools, name: string): ToolDefinition {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (tool === undefined) {
    const names = Object.keys(tools)
    const known =
      names.length === 0
        ? `The pipeline has no tools: new TaskPipeline({ tools: { ${JSON.stringify(name)}: ['python3', '{script}'] } })`
        : `Its tools are ${names.join(', ')}`
    throw new MonitorError(
      'unknown-tool',
      `no tool is called "${name}".${didYouMean(name, names)} ${known}`,
    )
  }
  return typeof tool === 'function' || 'length' in tool ? { command: tool } : tool
}

/** The command of one task. */
export function toolCommand(
  name: string,
  { command }: ToolDefinition,
  task: ToolTask,
): readonly string[] {
  try {
    return typeof command === 'function'
      ? checkedCommand(name, command(task))
      : filledCommand(name, command, task)
  } catch (error) {
    throw error instanceof ToolMistake ? new MonitorError(error.code, error.message) : error
  }
}

/** Refuses a task whose script is certainly not there. */
export function refuseMissingScript(
  files: Files,
  name: string,
  tool: ToolDefinition,
  script: string | null,
): void {
  const usesScript =
    typeof tool.command === 'function' || tool.command.some((word) => word.includes('{script}'))
  if (script === null || tool.scriptIsFile === false || !usesScript) return
  const path = resolve(tool.workingDirectory ?? '.', script)
  if (files.isMissing(path))
    throw new MonitorError(
      'missing-script',
      `there is no script ${path}. Give its path, or set workingDirectory for the tool "${name}", or scriptIsFile: false if it is inside a container`,
    )
}
