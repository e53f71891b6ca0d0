import { clientOptions, type ClientOptions } from './client-options.ts'
import { nameOf, prefixLength } from './command-prefix.ts'
import type { Engine } from '../../sensors/container/engine-place.ts'

/** A command line of `docker run` or `podman run`, taken apart where options can be put in. */
export interface ContainerCommand extends Omit<ClientOptions, 'length'> {
  readonly engine: Engine
  /** Up to and with the word `run`. */
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** undefined for any other command: nothing is changed in what is not understood. */
export function parseContainerCommand(command: readonly string[]): ContainerCommand | undefined {
  const start = prefixLength(command)
  if (start === undefined) return undefined
  const [program = '', ...words] = command.slice(start)
  const name = nameOf(program)
  if (name !== 'docker' && name !== 'podman') return undefined
  const { length, ...options } = clientOptions(words)
  let at = length
  if (words[at] === 'container') at += 1
  if (words[at] !== 'run') return undefined
  return {
    engine: name,
    ...options,
    before: [...command.slice(0, start), program, ...words.slice(0, at + 1)],
    after: words.slice(at + 1),
  }
}

/**
 * The label by which a container is found. Its key has the id in it: of two labels with one key the client takes the last
 * one, and `--label jobmeter.task=…` among the user's own words would hide the container, or show another job's.
 */
export const taskLabel = (taskId: string): string => `jobmeter.task.${taskId}=measured`

/** For people who look for the container of a job. */
const shownLabel = (taskId: string): string => `jobmeter.task=${taskId}`

/**
 * The same command with labels, and a memory limit if one is wanted. It comes first: of two the client takes the last one,
 * and so a limit of the user's own holds.
 */
export function labelledCommand(
  { before, after }: ContainerCommand,
  taskId: string,
  memoryLimitBytes: number | null,
): readonly string[] {
  const labels = ['--label', shownLabel(taskId), '--label', taskLabel(taskId)]
  const limit = memoryLimitBytes === null ? [] : ['--memory', String(memoryLimitBytes)]
  return [...before, ...labels, ...limit, ...after]
}
