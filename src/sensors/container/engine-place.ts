import type { Files } from '../../system/system.ts'

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
  'CONTAINER_HOST',
  'XDG_RUNTIME_DIR',
] as const

type Environment = Readonly<Record<string, string | undefined>>

/** The client's own variable goes first. A daemon on another machine is not ours to measure. */
export function engineSockets(engine: Engine, environment: Environment): EnginePlace {
  const variable = hostVariables[engine]
  const told = environment[variable]
  if (told !== undefined && told !== '') return socketOf(told, variable)
  const own = environment['XDG_RUNTIME_DIR']
  const paths =
    engine === 'docker'
      ? ['/var/run/docker.sock', ...(own === undefined ? [] : [`${own}/docker.sock`])]
      : [...(own === undefined ? [] : [`${own}/podman/podman.sock`]), '/run/podman/podman.sock']
  return { kind: 'sockets', paths }
}

/** `unix:///run/docker.sock`, as it is given in a variable or an option. */
export function socketOf(address: string, where: string): EnginePlace {
  const path = /^unix:\/\/(\/.*)$/.exec(address)?.[1]
  return path === undefined
    ? { kind: 'elsewhere', why: `${where} names ${address}, which is not a socket of this machine` }
    : { kind: 'sockets', paths: [path] }
}

/** The first of these that is there. */
export const firstSocket = (files: Files, paths: readonly string[]): string | undefined =>
  paths.find((path) => !files.isMissing(path))
