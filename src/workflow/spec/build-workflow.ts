import { parseBytes } from '../../model/bytes.ts'
import { parseDuration } from '../../model/duration.ts'
import { noRequirements, type Requirements } from '../../model/job.ts'
import {
  defaultMonitor,
  type FailureHandler,
  type JobContainer,
  type MonitorSettings,
  type WorkflowJob,
} from '../../model/workflow.ts'
import type { CheckedSpec } from './checked-spec.ts'
import type { ContainerSpec } from './definition-container.ts'
import { metricsNamed } from './metric-names.ts'
import type { Indices } from './name-index.ts'
import type { ResolvedJob } from './resolve.ts'

type RequirementsSpec = CheckedSpec['requirements'][number]['spec']
/** A request by name, or a job's own, which needs no name. */
type Request = { readonly [Key in keyof RequirementsSpec]?: RequirementsSpec[Key] | undefined }

export function toRequirements(spec: Request): Requirements {
  return {
    cpus: spec.num_cpus ?? spec.cpus ?? null,
    memoryBytes: spec.memory === undefined ? null : (parseBytes(String(spec.memory)) ?? null),
    gpus: spec.num_gpus ?? spec.gpus ?? null,
    runtimeSeconds:
      spec.runtime === undefined ? null : (parseDuration(String(spec.runtime)) ?? null),
  }
}

const defaultRetries = 3

export function toFailureHandler(
  spec: CheckedSpec['failureHandlers'][number]['spec'],
  fill: (text: string) => string,
): FailureHandler {
  return {
    name: spec.name,
    rules: spec.rules.map((rule) => ({
      exitCodes: rule.exit_codes ?? null,
      recoveryScript: rule.recovery_script === undefined ? null : fill(rule.recovery_script),
      maxRetries: rule.max_retries ?? defaultRetries,
    })),
  }
}

export function toMonitor(spec: CheckedSpec['head']['resource_monitor']): MonitorSettings {
  const metrics = spec?.metrics === undefined ? undefined : metricsNamed(spec.metrics)
  const isNone = metrics?.length === 0
  return {
    enabled: !isNone && (spec?.enabled ?? defaultMonitor.enabled),
    granularity: spec?.granularity ?? defaultMonitor.granularity,
    sampleIntervalSeconds: spec?.sample_interval_seconds ?? defaultMonitor.sampleIntervalSeconds,
    generatePlots: spec?.generate_plots ?? defaultMonitor.generatePlots,
    enforce: [...new Set(spec?.enforce)],
    ...(metrics === undefined || isNone ? {} : { metrics }),
  }
}

/** What jobs name, found by name once for all of them. */
export interface JobParts {
  readonly requirements: ReadonlyMap<string, { request: Request; value: Requirements }>
  readonly handlers: ReadonlyMap<string, FailureHandler>
  readonly jobNames: (indices: Indices) => readonly string[]
  readonly fileNames: (indices: Indices) => readonly string[]
  readonly dataNames: (indices: Indices) => readonly string[]
}

export function toJob(job: ResolvedJob, parts: JobParts): WorkflowJob {
  const { source, values, name } = job.expanded
  const { spec } = source
  const { resource_requirements: asked, failure_handler: handler } = spec
  const requirementsName =
    typeof asked === 'string' ? source.fill(asked, values, ['resource_requirements']) : null
  const named = requirementsName === null ? undefined : parts.requirements.get(requirementsName)
  const request = typeof asked === 'object' ? asked : named?.request
  const value = typeof asked === 'object' ? toRequirements(asked) : named?.value
  const handlerName = handler === undefined ? '' : source.fill(handler, values, ['failure_handler'])
  const filled = (text: unknown, key: string): string =>
    source.fill(String(text), values, ['env', key])
  return {
    name,
    command: job.command,
    invocationScript: job.invocationScript,
    environment: spec.env === undefined ? nothing : mapValues(spec.env, filled),
    ...(spec.container === undefined ? {} : { container: toContainer(job, spec.container) }),
    requirements: value ?? noRequirements,
    requirementsName,
    priority: spec.priority ?? 0,
    dependsOn: parts.jobNames(job.dependsOn),
    cancelOnBlockingJobFailure: spec.cancel_on_blocking_job_failure ?? true,
    failureHandler: parts.handlers.get(handlerName) ?? null,
    inputFiles: parts.fileNames(job.inputFiles),
    outputFiles: parts.fileNames(job.outputFiles),
    inputUserData: parts.dataNames(job.inputUserData),
    outputUserData: parts.dataNames(job.outputUserData),
    kept: keptOf(job, request),
  }
}

function toContainer({ expanded }: ResolvedJob, spec: ContainerSpec): JobContainer {
  const { source, values } = expanded
  const fill = (text: string, key: string): string => source.fill(text, values, ['container', key])
  const list = (texts: string | readonly string[] | undefined, key: string): string[] =>
    [texts ?? []].flat().map((text) => fill(text, key))
  const at = spec.working_directory
  return {
    image: fill(spec.image, 'image'),
    runtime: spec.runtime ?? null,
    mounts: list(spec.mounts, 'mounts'),
    arguments: list(spec.arguments, 'arguments'),
    workingDirectory: at === undefined ? null : fill(at, 'working_directory'),
  }
}

/** One for the many jobs that have none: 100,000 empty objects are memory too. */
const nothing: Readonly<Record<string, never>> = {}

function keptOf({ expanded }: ResolvedJob, request: Request | undefined): Record<string, unknown> {
  const { source, values } = expanded
  const { scheduler, supports_termination: terminates } = source.spec
  const nodes = request?.num_nodes
  if (scheduler === undefined && terminates === undefined && nodes === undefined) return nothing
  return {
    ...(scheduler === undefined
      ? {}
      : { scheduler: source.fill(scheduler, values, ['scheduler']) }),
    ...(terminates === undefined ? {} : { supports_termination: terminates }),
    ...(nodes === undefined ? {} : { num_nodes: nodes }),
  }
}

export function mapValues<T, U>(
  record: Readonly<Record<string, T>>,
  map: (value: T, key: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]))
}

/** Names of the things at these positions; the same list for the same list. */
export function namesOf(
  things: readonly { readonly name: string }[],
): (indices: Indices) => readonly string[] {
  const known = new Map<Indices, readonly string[]>()
  return (indices) => {
    const found = known.get(indices)
    if (found !== undefined) return found
    const names = indices.flatMap((index) => things[index]?.name ?? [])
    known.set(indices, names)
    return names
  }
}
