import { megabyte } from '../../model/bytes.ts'
import type { Files } from '../../system/system.ts'
import { objectIn, textIn } from './json-values.ts'

export const engines = ['docker', 'podman'] as const
export type Engine = (typeof engines)[number]

/** Where the daemon of an engine may be reached, or why it cannot be. */
export type EnginePlace =
  | { readonly kind: 'sockets'; readonly paths: readonly string[] }
  | { readonly kind: 'elsewhere'; readonly why: string }

/** The variable that names the socket of an engine. */
export const hostVariables: Readonly<Record<Engine, string>> = {
  docker: 'DOCKER_HOST',
  podman: 'CONTAINER_HOST',
}

/** Variables by which clients find their daemon. */
export const engineVariables = [
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
  'CONTAINER_HOST',
  'CONTAINER_CONNECTION',
  'HOME',
  'XDG_RUNTIME_DIR',
] as const

type Environment = Readonly<Record<string, string | undefined>>

/** What the options of a client say of its daemon; null where they say nothing. */
export interface EngineOptions {
  /** `unix:///run/docker.sock` */
  readonly host: string | null
  /** A name for the daemon that only the client understands. */
  readonly context: string | null
  /** The directory with the client's own settings. */
  readonly config: string | null
}

const noOptions: EngineOptions = { host: null, context: null, config: null }

/** Where a client finds its daemon: as its options say, or its environment, or its settings. */
export function enginePlace(
  files: Files,
  engine: Engine,
  environment: Environment,
  { host, context, config }: EngineOptions = noOptions,
): EnginePlace {
  if (host !== null) return socketOf(host, 'the command')
  const named =
    context ??
    (engine === 'docker'
      ? contextOfDocker(files, environment, config)
      : environment['CONTAINER_CONNECTION'])
  if (named !== undefined && named !== '' && named !== 'default')
    return {
      kind: 'elsewhere',
      why: `the daemon is named by the context ${named}, which only ${engine} knows`,
    }
  return engineSockets(engine, environment)
}

/** As the client does it, DOCKER_HOST goes before DOCKER_CONTEXT, and that before `docker context use`. */
function contextOfDocker(
  files: Files,
  environment: Environment,
  config: string | null,
): string | undefined {
  if (isSet(environment['DOCKER_HOST'])) return undefined
  if (isSet(environment['DOCKER_CONTEXT'])) return environment['DOCKER_CONTEXT']
  const own = environment['DOCKER_CONFIG']
  const directory = config ?? (isSet(own) ? own : `${environment['HOME'] ?? ''}/.docker`)
  const settings = files.readUtf8(`${directory}/config.json`, megabyte, 'plain')
  return settings.kind === 'ok' ? contextIn(settings.value) : undefined
}

/** The client too goes on without settings that it cannot read. */
function contextIn(settings: string): string | undefined {
  try {
    return textIn(objectIn(JSON.parse(settings))['currentContext']) ?? undefined
  } catch {
    return undefined
  }
}

/** Clients take an empty variable for none. */
const isSet = (value: string | undefined): value is string => value !== undefined && value !== ''

/** The client's own variable goes first. A daemon on another machine is not ours to measure. */
function engineSockets(engine: Engine, environment: Environment): EnginePlace {
  const variable = hostVariables[engine]
  const told = environment[variable]
  if (isSet(told)) return socketOf(told, variable)
  const own = environment['XDG_RUNTIME_DIR']
  const paths =
    engine === 'docker'
      ? ['/var/run/docker.sock', ...(own === undefined ? [] : [`${own}/docker.sock`])]
      : [...(own === undefined ? [] : [`${own}/podman/podman.sock`]), '/run/podman/podman.sock']
  return { kind: 'sockets', paths }
}

/** `unix:///run/docker.sock`, as it is given in a variable or an option. */
function socketOf(address: string, where: string): EnginePlace {
  const path = /^unix:\/\/(\/.*)$/.exec(address)?.[1]
  return path === undefined
    ? { kind: 'elsewhere', why: `${where} names ${address}, which is not a socket of this machine` }
    : { kind: 'sockets', paths: [path] }
}

/** The first of these that is there. */
export const firstSocket = (files: Files, paths: readonly string[]): string | undefined =>
  paths.find((path) => !files.isMissing(path))
