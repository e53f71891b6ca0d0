import type { UserData, Workflow, WorkflowFile } from '../../model/workflow.ts'
import { toActions } from './actions.ts'
import {
  mapValues,
  namesOf,
  toFailureHandler,
  toJob,
  toMonitor,
  toRequirements,
  type JobParts,
} from './build-workflow.ts'
import type { CheckedSpec, Placed } from './checked-spec.ts'
import { reportCycles } from './cycles.ts'
import type { FileSpec, UserDataSpec } from './definition.ts'
import {
  expand,
  mentions,
  sharedParameters,
  Source,
  type Expanded,
  type Parametrised,
  type Shared,
} from './expand.ts'
import { reportUnknownNames } from './named-parts.ts'
import type { Problems } from './problem.ts'
import type { ListName } from './repair.ts'
import { resolveJobs, type Resolved } from './resolve.ts'
import { Room } from './room.ts'
import { placed, reportRepeated } from './uniqueness.ts'
import { UnknownNames } from './unknown-names.ts'

/** Makes the workflow of a checked file; what it finds wrong on the way goes to `problems`. */
export function assemble(spec: CheckedSpec, problems: Problems): Workflow {
  const shared: Shared = {
    parameters: sharedParameters(spec.head.parameters, problems),
    variables: spec.head.variables ?? {},
    room: new Room(),
  }
  const expansion = new Expansion(spec, shared, problems)
  const expandedFiles = expansion.all('files', spec.files)
  const expandedData = expansion.all('user_data', spec.userData)
  const { expanded: jobs, unexpanded, unknown: unknownJobs } = expansion.all('jobs', spec.jobs)
  reportRepeated('file', expandedFiles.expanded.map(placed), problems)
  reportRepeated('user data', expandedData.expanded.map(placed), problems)
  reportRepeated('job', jobs.map(placed), problems)
  const files = expandedFiles.expanded.map(toFile)
  const userData = expandedData.expanded.map(toUserData)
  const { missing, ...resolved } = resolveJobs(jobs, unexpanded, files, userData, problems)
  missing.jobs.report(unknownJobs, problems)
  missing.files.report(expandedFiles.unknown, problems)
  missing.userData.report(expandedData.unknown, problems)
  reportUnknownNames(spec, [...jobs, ...unexpanded], spec.unknowns.lists, problems)
  reportCycles(resolved, problems)
  return toWorkflow(spec, shared, { files, userData, resolved, unknownJobs }, problems)
}

interface AllExpanded<T> {
  readonly expanded: readonly Expanded<T>[]
  /** Those with faults, as they stand in the file. */
  readonly unexpanded: readonly Expanded<T>[]
  readonly unknown: UnknownNames
}

/** Expands the items of a list, but for those of which nobody knows what they expand to. */
class Expansion {
  readonly #spec: CheckedSpec
  readonly #shared: Shared
  readonly #problems: Problems
  /** Parameters and variables of the whole file that have faults. */
  readonly #faulty: ReadonlySet<string>

  constructor(spec: CheckedSpec, shared: Shared, problems: Problems) {
    this.#spec = spec
    this.#shared = shared
    this.#problems = problems
    const given = Object.keys(spec.head.parameters ?? {})
    const wrong = given.filter((name) => !shared.parameters.has(name))
    this.#faulty = new Set([...spec.unknowns.shared, ...wrong])
  }

  all<T extends Parametrised>(list: ListName, items: readonly Placed<T>[]): AllExpanded<T> {
    const { unexpandable, lists } = this.#spec.unknowns
    const expanded: Expanded<T>[] = []
    const unexpanded: Expanded<T>[] = []
    for (const item of items) {
      const isFaulty = unexpandable.has(item.path.join('/')) || mentions(item, this.#faulty)
      const found = isFaulty ? null : expand(item, this.#shared, this.#problems)
      // One by one: a list of a million does not fit into the arguments of a call.
      for (const each of found ?? []) expanded.push(each)
      if (found !== null) continue
      const source = new Source(item, [], this.#shared, this.#problems)
      unexpanded.push({ name: item.spec.name, source, values: [] })
    }
    const unknown = new UnknownNames(
      unexpanded.map(({ name }) => name),
      lists.has(list),
    )
    return { expanded, unexpanded, unknown }
  }
}

interface Found {
  readonly files: readonly WorkflowFile[]
  readonly userData: readonly UserData[]
  readonly resolved: Resolved
  readonly unknownJobs: UnknownNames
}

function toWorkflow(
  spec: CheckedSpec,
  shared: Shared,
  { files, userData, resolved, unknownJobs }: Found,
  problems: Problems,
): Workflow {
  const { head } = spec
  const top = new Source({ path: [], spec: head }, [], shared, problems)
  const jobNames = resolved.jobIndex.names.map((name) => ({ name }))
  const parts: JobParts = {
    requirements: new Map(
      spec.requirements.map((each) => [
        each.spec.name,
        { request: each.spec, value: toRequirements(each.spec) },
      ]),
    ),
    handlers: new Map(
      spec.failureHandlers.map((each) => {
        const source = new Source(each, [], shared, problems)
        const fill = (text: string): string => source.fill(text, [], ['rules'])
        return [each.spec.name, toFailureHandler(each.spec, fill)]
      }),
    ),
    jobNames: namesOf(jobNames),
    fileNames: namesOf(files),
    dataNames: namesOf(userData),
  }
  return {
    name: top.fill(head.name ?? '', [], ['name']),
    user: head.user ?? null,
    description: head.description ?? null,
    project: head.project ?? null,
    metadata: head.metadata ?? null,
    environment: mapValues(head.env ?? {}, (text, key) => top.fill(String(text), [], ['env', key])),
    files,
    userData,
    jobs: resolved.jobs.map((job) => toJob(job, parts)),
    actions: toActions(spec, shared, resolved.jobIndex, unknownJobs, problems),
    monitor: toMonitor(head.resource_monitor),
    sortMethod: head.jobs_sort_method ?? 'none',
    maxParallelJobs: head.max_parallel_jobs ?? null,
    strictFiles: head.strict_files ?? false,
    kept: spec.kept,
  }
}

function toFile({ name, source, values }: Expanded<FileSpec>): WorkflowFile {
  return { name, path: source.fill(source.spec.path, values, ['path']) }
}

function toUserData({ name, source, values }: Expanded<UserDataSpec>): UserData {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return source.fill(value, values, ['data'])
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, fill(inside)]))
  }
  const { data = null, is_ephemeral: isEphemeral = false } = source.spec
  return { name, data: fill(data), isEphemeral }
}
