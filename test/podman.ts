import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEngine, whyNoContainers, type ContainerEngine } from './container-engine.ts'

export interface Podman extends ContainerEngine {
  /** For whoever talks to it: with its socket, the client asks the service to do all. */
  readonly environment: Readonly<Record<string, string>>
}

/** Why there can be none on this machine; undefined where there can. */
export const whyNoPodman = (): string | undefined =>
  whyNoContainers('podman', 'podman') ?? whyNoContainers('runc', 'runc')

export async function startPodman(): Promise<Podman> {
  const directory = mkdtempSync(join(tmpdir(), 'jm-podman-'))
  const host = `unix://${directory}/p.sock`
  const settings = {
    CONTAINERS_CONF: `${directory}/containers.conf`,
    CONTAINERS_STORAGE_CONF: `${directory}/storage.conf`,
  }
  writeFileSync(settings.CONTAINERS_CONF, engineSettings(directory))
  writeFileSync(settings.CONTAINERS_STORAGE_CONF, storageSettings(directory))
  const environment = { ...settings, CONTAINER_HOST: host }
  const engine = await startEngine({
    directory,
    daemon: ['podman', 'system', 'service', '--time=0', host],
    daemonEnvironment: settings,
    client: 'podman',
    clientEnvironment: environment,
    workloads: ['contained'],
  })
  return { ...engine, environment }
}

/**
 * Its usual runtime, crun, refuses machines that have both v1 and v2. Limits are no higher than those that we have
 * ourselves: where root may not raise them, no container would start.
 */
const engineSettings = (directory: string): string => `[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
tmp_dir = "${directory}/tmp"
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
`

const storageSettings = (directory: string): string => `[storage]
driver = "vfs"
graphroot = "${directory}/data"
runroot = "${directory}/run"
`
