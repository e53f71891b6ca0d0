import type { LaunchResult } from '../../launch/request.ts'
import { missingOutputWords } from '../../model/missing-output.ts'
import type { AbsentInput } from '../../model/run-notice.ts'
import type { Workflow, WorkflowJob } from '../../model/workflow.ts'
import type { StoredJob } from '../../store/ledger/workflow-store.ts'
import type { Files } from '../../system/system.ts'

/** The files that the jobs of a workflow say they read and write, held against the disk. */
export class DeclaredFiles {
  readonly #files: Files
  readonly #paths: ReadonlyMap<string, string>

  constructor(files: Files, workflow: Workflow) {
    this.#files = files
    this.#paths = new Map(workflow.files.map(({ name, path }) => [name, path]))
  }

  /** Of the jobs that are still to run; what one of these writes may well be missing. */
  absentInputs(jobs: readonly StoredJob[]): AbsentInput[] {
    const toRun = jobs.filter(({ state }) => state !== 'success')
    const written = new Set(toRun.flatMap(({ job }) => this.#pathsOf(job.outputFiles)))
    const readers = new Map<string, string[]>()
    for (const { job } of toRun) {
      for (const path of this.#pathsOf(job.inputFiles)) {
        const known = readers.get(path)
        if (known !== undefined) known.push(job.name)
        else if (!written.has(path)) readers.set(path, [job.name])
      }
    }
    return [...readers]
      .filter(([path]) => this.#files.isMissing(path))
      .map(([path, names]) => ({ path, jobs: names }))
  }

  /** A result with what the job declared and did not write: a failure where the workflow is strict. */
  checked(job: WorkflowJob, result: LaunchResult, isStrict: boolean): LaunchResult {
    const { outcome } = result
    if (job.outputFiles.length === 0 || outcome.status !== 'success') return result
    const missing = this.#pathsOf(job.outputFiles).filter((path) => this.#files.isMissing(path))
    if (missing.length === 0) return result
    const told = `${missingOutputWords}${missing.join(', ')}`
    const reason = outcome.reason === null ? told : `${told}; ${outcome.reason}`
    return { ...result, outcome: { ...outcome, reason, status: isStrict ? 'failed' : 'success' } }
  }

  #pathsOf(names: readonly string[]): string[] {
    return names.flatMap((name) => this.#paths.get(name) ?? [])
  }
}
