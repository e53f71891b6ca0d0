import { nameOf, prefixLength } from './command-prefix.ts'
import type { Engine } from '../../sensors/container/engine-place.ts'

/** A command line of `docker run` or `podman run`, taken apart where options can be put in. */
export interface ContainerCommand {
  readonly engine: Engine
  /** The daemon that an option names (`-H unix://…`); null where the client goes by its environment. */
  readonly host: string | null
  /** Another daemon than the usual one is asked, by a name that only the client understands. */
  readonly context: string | null
  /** Up to and with the word `run`. */
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Options of the client itself that take a value in the next word. */
const valued = new Set(
  (
    '--config -c --context -H --host -l --log-level --tlscacert --tlscert --tlskey ' +
    '--connection --url --identity --root --runroot --storage-driver --storage-opt --cgroup-manager ' +
    '--conmon --events-backend --hooks-dir --module --namespace --network-cmd-path --network-config-dir ' +
    '--out --runtime --runtime-flag --ssh --tmpdir --volumepath'
  ).split(' '),
)

/** undefined for any other command: nothing is changed in what is not understood. */
export function parseContainerCommand(command: readonly string[]): ContainerCommand | undefined {
  const start = prefixLength(command)
  if (start === undefined) return undefined
  const [program = '', ...words] = command.slice(start)
  const name = nameOf(program)
  if (name !== 'docker' && name !== 'podman') return undefined
  let host: string | null = null
  let context: string | null = null
  let at = 0
  for (; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (!word.startsWith('-')) break
    const [option = '', given] = word.split(/=(.*)/s)
    const value = given ?? words[at + 1] ?? ''
    if (option === '-H' || option === '--host' || option === '--url') host = value
    if (option === '--context' || option === '-c' || option === '--connection') context = value
    if (given === undefined && valued.has(option)) at += 1
  }
  if (words[at] === 'container') at += 1
  if (words[at] !== 'run') return undefined
  return {
    engine: name,
    host,
    context,
    before: [...command.slice(0, start), program, ...words.slice(0, at + 1)],
    after: words.slice(at + 1),
  }
}

export const taskLabel = (taskId: string): string => `jobmeter.task=${taskId}`

/**
 * The same command with a label by which the container is found, and a memory limit if one is wanted. It comes first: of
 * two the client takes the last one, and so a limit of the user's own holds.
 */
export function labelledCommand(
  { before, after }: ContainerCommand,
  taskId: string,
  memoryLimitBytes: number | null,
): readonly string[] {
  const limit = memoryLimitBytes === null ? [] : ['--memory', String(memoryLimitBytes)]
  return [...before, '--label', taskLabel(taskId), ...limit, ...after]
}
