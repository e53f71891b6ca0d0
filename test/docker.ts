import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEngine, whyNoContainers, type ContainerEngine } from './container-engine.ts'

export interface Docker extends Omit<ContainerEngine, 'client'> {
  /** For the environment of whoever talks to it. */
  readonly host: string
  readonly docker: ContainerEngine['client']
}

/** Why there can be none on this machine; undefined where there can. */
export const whyNoDocker = (): string | undefined => whyNoContainers('dockerd', 'docker.io')

export async function startDocker(): Promise<Docker> {
  // Short: the path of a socket has room for 107 bytes.
  const directory = mkdtempSync(join(tmpdir(), 'jm-docker-'))
  const host = `unix://${directory}/d.sock`
  const { client, ...engine } = await startEngine({
    directory,
    daemon: [
      'dockerd',
      `--host=${host}`,
      `--data-root=${directory}/data`,
      `--exec-root=${directory}/exec`,
      `--pidfile=${directory}/pid`,
      '--storage-driver=vfs',
      '--bridge=none',
      '--iptables=false',
      '--ip6tables=false',
    ],
    client: 'docker',
    clientEnvironment: { DOCKER_HOST: host },
    workloads: ['burn', 'hog', 'transfer', 'contained'],
  })
  return { ...engine, host, docker: client }
}
