import { whyNot } from '../../model/reading.ts'
import { openEngine } from '../../sensors/container/engine-api.ts'
import {
  enginePlace,
  engines,
  hostVariables,
  type Engine,
} from '../../sensors/container/engine-place.ts'
import type { Files } from '../../system/system.ts'

/** What was found of one way to run containers, and what would make it work; null where it does. */
export interface EngineFinding {
  readonly what: string
  readonly finding: string
  readonly remedy: string | null
}

const remedies: Readonly<Record<Engine, string>> = {
  docker:
    'install docker.io, start it (systemctl start docker), and be in the group docker or root',
  podman:
    'install podman and start its socket: systemctl --user start podman.socket (as root without --user)',
}

function remedyFor(
  engine: Engine,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const variable = hostVariables[engine]
  const told = environment[variable]
  return told === undefined || told === ''
    ? `${remedies[engine]}; or name the socket in ${variable}`
    : `start the daemon that ${variable} names (${told}), or unset ${variable}`
}

/** Asks each engine whether it is there. */
export async function engineFindings(
  files: Files,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly EngineFinding[]> {
  const asked = engines.map(async (engine): Promise<EngineFinding> => {
    const what = engine === 'docker' ? 'Docker' : 'Podman'
    const api = openEngine(files, engine, enginePlace(files, engine, environment))
    const version = api.kind === 'ok' ? await api.value.version() : api
    return version.kind === 'ok'
      ? {
          what,
          finding: `version ${version.value}: jobs of \`${engine} run\` are measured in their containers`,
          remedy: null,
        }
      : { what, finding: whyNot(version), remedy: remedyFor(engine, environment) }
  })
  return [...(await Promise.all(asked)), apptainer(files, environment['PATH'] ?? '')]
}

/** Its containers are processes of the job like any other: there is nothing to ask. */
function apptainer(files: Files, path: string): EngineFinding {
  const what = 'Apptainer'
  const found = ['apptainer', 'singularity'].find((name) =>
    path
      .split(':')
      .some((directory) => directory !== '' && !files.isMissing(`${directory}/${name}`)),
  )
  return found === undefined
    ? {
        what,
        finding: 'neither apptainer nor singularity is in PATH',
        remedy: 'install apptainer',
      }
    : { what, finding: `${found}: its processes are measured as those of the job`, remedy: null }
}
