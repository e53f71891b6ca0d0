import { resolve } from 'node:path'
import {
  containerRuntimes,
  type ContainerRuntime,
  type JobContainer,
} from '../../model/workflow.ts'
import { requestVariable, taskVariable } from '../../model/task-mark.ts'
import type { Files } from '../../system/system.ts'

/** What the words depend on besides the job. */
export interface ContainerPlace {
  readonly files: Files
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workingDirectory: string
}

/** What every job gets from the runner (`job-environment.ts`). */
const ownVariables = [
  taskVariable,
  requestVariable,
  'JOBMETER_WORKFLOW_ID',
  'JOBMETER_RUN_ID',
  'JOBMETER_JOB_ID',
  'JOBMETER_JOB_NAME',
  'JOBMETER_ATTEMPT',
  'JOBMETER_OUTPUT_DIR',
]

/**
 * The command that runs a line of shell in a container. Variables are given by their names alone: the client has their
 * values, and no value need be quoted.
 */
export function containerWords(
  container: JobContainer,
  line: string,
  variables: readonly string[],
  place: ContainerPlace,
): readonly string[] {
  const runtime = container.runtime ?? firstInstalled(place)
  const mounts = container.mounts.map((mount) => wholeMount(mount, place.workingDirectory))
  const inside = [container.image, 'sh', '-c', line]
  const at = container.workingDirectory
  if (runtime === 'apptainer')
    return [
      'apptainer',
      'exec',
      ...mounts.flatMap((mount) => ['--bind', mount]),
      ...(at === null ? [] : ['--pwd', at]),
      ...container.arguments,
      ...inside,
    ]
  return [
    runtime,
    'run',
    '--rm',
    ...[...ownVariables, ...variables].flatMap((name) => ['--env', name]),
    ...mounts.flatMap((mount) => ['--volume', mount]),
    ...(at === null ? [] : ['--workdir', at]),
    ...container.arguments,
    ...inside,
  ]
}

/** Where none is, the first one is named all the same: that it was not found is told when it is started. */
function firstInstalled({ files, environment }: ContainerPlace): ContainerRuntime {
  const directories = (environment['PATH'] ?? '').split(':').filter(Boolean)
  const isThere = (runtime: string): boolean =>
    directories.some((directory) => !files.isMissing(`${directory}/${runtime}`))
  return containerRuntimes.find(isThere) ?? 'docker'
}

function wholeMount(mount: string, directory: string): string {
  const [source = '', ...rest] = mount.split(':')
  return [source.startsWith('.') ? resolve(directory, source) : source, ...rest].join(':')
}
