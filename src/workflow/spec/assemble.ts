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
import type { CheckedSpec, ListName, Placed } from './checked-spec.ts'
import { reportCycles } from './cycles.ts'
import type { FileSpec, UserDataSpec } from './definition.ts'
import { expand, sharedParameters, Source, type Expanded, type Shared } from './expand.ts'
import { reportUnknownNames } from './named-parts.ts'
import type { Problems } from './problem.ts'
import { resolveJobs, type Resolved } from './resolve.ts'
import { Room } from './room.ts'
import { placed, reportRepeated } from './uniqueness.ts'

/** Makes the workflow of a checked file; what it finds wrong on the way goes to `problems`. */
export function assemble(spec: CheckedSpec, problems: Problems): Workflow {
  const before = problems.count
  const shared: Shared = {
    parameters: sharedParameters(spec.head.parameters, problems),
    variables: spec.head.variables ?? {},
    room: new Room(),
  }
  // With a parameter missing, everything expands to something else.
  const isWhole = problems.count === before
  const faulty = new Set<ListName>(spec.incomplete)
  const all = <T extends { readonly name: string }>(
    list: ListName,
    items: readonly Placed<T>[],
  ): Expanded<T>[] =>
    items.flatMap((item) => {
      const expanded = isWhole ? expand(item, shared, problems) : null
      if (expanded === null) faulty.add(list)
      return expanded ?? []
    })
  const expandedFiles = all('files', spec.files)
  const expandedData = all('user_data', spec.userData)
  const jobs = all('jobs', spec.jobs)
  reportRepeated('file', expandedFiles.map(placed), problems)
  reportRepeated('user data', expandedData.map(placed), problems)
  reportRepeated('job', jobs.map(placed), problems)
  const files = expandedFiles.map(toFile)
  const userData = expandedData.map(toUserData)
  const { missing, ...resolved } = resolveJobs(jobs, files, userData, problems)
  if (!faulty.has('jobs')) missing.jobs.report(problems)
  if (!faulty.has('files')) missing.files.report(problems)
  if (!faulty.has('user_data')) missing.userData.report(problems)
  reportUnknownNames(spec, jobs, faulty, problems)
  reportCycles(resolved, problems)
  return toWorkflow(spec, shared, { files, userData, resolved, faulty }, problems)
}

interface Found {
  readonly files: readonly WorkflowFile[]
  readonly userData: readonly UserData[]
  readonly resolved: Resolved
  readonly faulty: ReadonlySet<ListName>
}

function toWorkflow(
  spec: CheckedSpec,
  shared: Shared,
  { files, userData, resolved, faulty }: Found,
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
    actions: toActions(spec, shared, resolved.jobIndex, !faulty.has('jobs'), problems),
    monitor: toMonitor(head.resource_monitor),
    sortMethod: head.jobs_sort_method ?? 'none',
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
