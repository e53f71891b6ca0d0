import type { UserData, WorkflowFile } from '../../model/workflow.ts'
import type { JobSpec } from './definition.ts'
import type { Expanded } from './expand.ts'
import { NameIndex, noIndices, Unions, type Indices } from './name-index.ts'
import { Producers } from './producers.ts'
import type { Problems } from './problem.ts'
import { replaceReferences, type Referenced } from './references.ts'
import { MissingNames, Relations, twinOf, type RelationKey } from './relations.ts'

/** A job with its relations as positions in the lists of jobs, files and user data. */
export interface ResolvedJob {
  readonly expanded: Expanded<JobSpec>
  readonly command: string
  readonly invocationScript: string | null
  readonly dependsOn: Indices
  readonly inputFiles: Indices
  readonly outputFiles: Indices
  readonly inputUserData: Indices
  readonly outputUserData: Indices
}

export interface Resolved {
  readonly jobs: readonly ResolvedJob[]
  readonly jobIndex: NameIndex
  /** Why one job waits for another, in words, and the key of the file that says so. */
  readonly why: (job: number, dependency: number) => Link
}

export interface Link {
  readonly words: string
  readonly key: RelationKey | ReturnType<typeof twinOf>
}

type OwnRelations = Omit<ResolvedJob, 'dependsOn'>

/** Finds what jobs name, and from that what each of them waits for. */
export function resolveJobs(
  jobs: readonly Expanded<JobSpec>[],
  unexpanded: readonly Expanded<JobSpec>[],
  files: readonly WorkflowFile[],
  userData: readonly UserData[],
  problems: Problems,
): Resolved & { readonly missing: MissingByKind } {
  const resolver = new Resolver(jobs, files, userData, problems)
  for (const job of unexpanded) resolver.checkConstant(job)
  return resolver.resolve()
}

/** Reported by the caller, who knows which lists are whole. */
export interface MissingByKind {
  readonly jobs: MissingNames
  readonly files: MissingNames
  readonly userData: MissingNames
}

class Resolver {
  readonly #jobs: readonly Expanded<JobSpec>[]
  readonly #files: readonly WorkflowFile[]
  readonly #userData: readonly UserData[]
  readonly #problems: Problems
  readonly #unions = new Unions()
  readonly #missing = {
    jobs: new MissingNames(),
    files: new MissingNames(),
    userData: new MissingNames(),
  }
  readonly #toJobs: Relations
  readonly #toFiles: Relations
  readonly #toUserData: Relations
  /** The job that was left out of a pattern's matches because it is one of them. */
  readonly #selfMatched = new Map<Indices, number>()

  constructor(
    jobs: readonly Expanded<JobSpec>[],
    files: readonly WorkflowFile[],
    userData: readonly UserData[],
    problems: Problems,
  ) {
    this.#jobs = jobs
    this.#files = files
    this.#userData = userData
    this.#problems = problems
    const relations = (
      kind: string,
      things: readonly { name: string }[],
      missing: MissingNames,
    ): Relations =>
      new Relations(kind, new NameIndex(things.map(({ name }) => name)), this.#unions, missing)
    this.#toJobs = relations('job', jobs, this.#missing.jobs)
    this.#toFiles = relations('file', files, this.#missing.files)
    this.#toUserData = relations('user data', userData, this.#missing.userData)
  }

  resolve(): Resolved & { readonly missing: MissingByKind } {
    const own = this.#jobs.map((job) => this.#ownRelations(job))
    const writesFile = new Producers(
      'file',
      this.#files,
      own.map(({ expanded, outputFiles }) => ({ expanded, outputs: outputFiles })),
      this.#problems,
    )
    const writesData = new Producers(
      'user data',
      this.#userData,
      own.map(({ expanded, outputUserData }) => ({ expanded, outputs: outputUserData })),
      this.#problems,
    )
    const jobs = own.map((job, position) => {
      const waits = [
        ...this.#explicit(job.expanded, position),
        writesFile.of(job.inputFiles),
        writesData.of(job.inputUserData),
      ]
      return { ...job, dependsOn: this.#unions.join(waits) }
    })
    const why = (from: number, to: number): Link =>
      this.#explicitLink(from, to) ??
      impliedLink('input_files', own[from]?.inputFiles, to, writesFile, this.#files) ??
      impliedLink('input_user_data', own[from]?.inputUserData, to, writesData, this.#userData) ?? {
        words: 'depends_on',
        key: 'depends_on',
      }
    return { jobs, jobIndex: this.#toJobs.index, why, missing: this.#missing }
  }

  checkConstant(job: Expanded<JobSpec>): void {
    for (const key of ['depends_on', 'blocked_by'] as const) this.#toJobs.checkConstant(job, key)
    for (const key of ['input_files', 'output_files'] as const)
      this.#toFiles.checkConstant(job, key)
    for (const key of ['input_user_data', 'output_user_data'] as const)
      this.#toUserData.checkConstant(job, key)
  }

  #ownRelations(expanded: Expanded<JobSpec>): OwnRelations {
    const { source, values } = expanded
    const { spec } = source
    const fill = (key: 'command' | 'invocation_script', text: string): string =>
      source.fill(text, values, [key])
    const targets = {
      files: this.#toFiles,
      userData: this.#toUserData,
      allFiles: this.#files,
      allUserData: this.#userData,
    }
    const replace = (key: 'command' | 'invocation_script', text: string): Referenced =>
      replaceReferences(expanded, key, fill(key, text), targets, this.#problems)
    const command = replace('command', spec.command)
    const script = spec.invocation_script
    const invocation = script === undefined ? null : replace('invocation_script', script)
    const found = [...command.found, ...(invocation?.found ?? [])]
    const all = (relations: Relations, key: RelationKey): Indices => {
      const { named, matched } = relations.of(expanded, key)
      const implied = found.filter((each) => each.key === key).map(({ indices }) => indices)
      return this.#unions.join([named, matched, ...implied])
    }
    return {
      expanded,
      command: command.text,
      invocationScript: invocation?.text ?? null,
      inputFiles: all(this.#toFiles, 'input_files'),
      outputFiles: all(this.#toFiles, 'output_files'),
      inputUserData: all(this.#toUserData, 'input_user_data'),
      outputUserData: all(this.#toUserData, 'output_user_data'),
    }
  }

  #explicit(job: Expanded<JobSpec>, position: number): Indices[] {
    return (['depends_on', 'blocked_by'] as const).flatMap((key) => {
      const { named, matched } = this.#toJobs.of(job, key)
      return [named, includes(matched, position) ? this.#withoutSelf(matched, position) : matched]
    })
  }

  /**
   * A pattern such as `.*` does not mean the job itself. Two jobs that each leave only themselves out of
   * the same matches wait for each other; for every job after the first, that one link tells it.
   */
  #withoutSelf(matched: Indices, position: number): Indices {
    const other = this.#selfMatched.get(matched)
    if (other !== undefined && other !== position) return this.#unions.single(other)
    this.#selfMatched.set(matched, position)
    return matched.filter((each) => each !== position)
  }

  #explicitLink(from: number, to: number): Link | undefined {
    const job = this.#jobs[from]
    if (job === undefined) return undefined
    for (const key of ['depends_on', 'blocked_by'] as const) {
      const { named, matched } = this.#toJobs.of(job, key)
      if (includes(named, to)) return { words: key, key }
      if (includes(matched, to)) return { words: twinOf(key), key: twinOf(key) }
    }
    return undefined
  }
}

function impliedLink(
  key: 'input_files' | 'input_user_data',
  inputs: Indices = noIndices,
  producer: number,
  producers: Producers,
  things: readonly { readonly name: string }[],
): Link | undefined {
  const shared = inputs.find((input) => producers.producerOf(input) === producer)
  const name = shared === undefined ? undefined : things[shared]?.name
  if (name === undefined) return undefined
  return { words: `${key === 'input_files' ? 'file' : 'user data'} ${JSON.stringify(name)}`, key }
}

function includes(sorted: Indices, wanted: number): boolean {
  let [low, high] = [0, sorted.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = sorted[middle] ?? Infinity
    if (found === wanted) return true
    if (found < wanted) low = middle + 1
    else high = middle - 1
  }
  return false
}
