import { megabyte } from '../model/bytes.ts'
import { basename, dirname, join, resolve } from 'node:path'
import { whyNot } from '../model/reading.ts'
import { suggest } from '../model/suggest.ts'
import { defaultMonitor, type Workflow } from '../model/workflow.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { Spec } from '../store/ledger/workflow-store.ts'
import type { System } from '../system/system.ts'
import type { ExecutorName } from './executors/executor-names.ts'
import type { SpecError } from '../workflow/spec/problem.ts'
import { isSpecName, readSpec } from '../workflow/spec/read-spec.ts'
import { UserError } from './user-error.ts'
import { noWorkflow } from './workflow-lease.ts'

/** A workflow file, read and found to be right. */
export interface SpecFile {
  readonly path: string
  /** It was sent to a server under this name, which is that of no file here. */
  readonly isSent?: boolean
  readonly text: string
  readonly workflow: Workflow
  /** What it says that has no effect here. */
  readonly unused: readonly string[]
}

export type LoadedSpec =
  | { readonly kind: 'ok'; readonly spec: SpecFile }
  | { readonly kind: 'wrong'; readonly errors: readonly SpecError[] }
  /** `near`: a workflow file beside it that has nearly the same name. */
  | { readonly kind: 'unreadable'; readonly why: string; readonly near: string | undefined }

/** 100,000 jobs written out take 20 MB; a file of twice as much that is read whole takes 4 GB of memory. */
export const mostSpecBytes = 32 * megabyte

/** Reads a workflow file, and finds all that is wrong with it at once. */
export function loadSpec(system: System, path: string): LoadedSpec {
  const text = system.files.readUtf8(path, mostSpecBytes)
  if (text.kind !== 'ok')
    return { kind: 'unreadable', why: whyNot(text), near: nearFile(system, path) }
  const result = readSpec(text.value, path)
  if (result.kind !== 'ok') return { kind: 'wrong', errors: result.errors }
  const { workflow, unused } = result
  return { kind: 'ok', spec: { path, text: text.value, workflow, unused } }
}

function nearFile({ files }: System, path: string): string | undefined {
  const folder = dirname(path)
  const listed = files.list(folder)
  if (listed.kind !== 'ok' || listed.value.includes(basename(path))) return undefined
  const near = suggest(basename(path), listed.value.filter(isSpecName))
  return near === undefined ? undefined : join(folder, near)
}

/** No whole path begins like this. */
const sentMark = 'sent:'

/** Whether a workflow was sent to a server: there is no file that could have changed since. */
export const wasSent = (specPath: string): boolean => specPath.startsWith(sentMark)

/** What is kept of a file. */
export function toStore(
  { workflow, path, isSent = false, text }: SpecFile,
  monitored: boolean,
): Spec & { readonly workflow: Workflow } {
  return {
    workflow: monitored
      ? workflow
      : { ...workflow, monitor: { ...defaultMonitor, enabled: false } },
    // Whole: it may be resumed from another directory.
    specPath: isSent ? `${sentMark}${path}` : resolve(path),
    specText: text,
  }
}

/** The file of a workflow as it was stored. */
export function storedSpec({ workflows }: Ledger, workflowId: number): SpecFile {
  const stored = workflows.specOf(workflowId)
  if (stored === undefined) throw noWorkflow(workflowId)
  const { specPath, specText: text } = stored
  const isSent = wasSent(specPath)
  const path = isSent ? specPath.slice(sentMark.length) : specPath
  const result = readSpec(text, path)
  if (result.kind !== 'ok')
    throw new UserError(
      `the file of workflow ${workflowId}, as it was stored, is no longer right for this jobmeter. Resume it with a file that is: jobmeter run FILE --resume ${workflowId}`,
    )
  return { path, isSent, text, workflow: result.workflow, unused: result.unused }
}

/** Keeps a workflow in the ledger; answers its id. */
export function storeSpec(
  system: System,
  ledger: Ledger,
  spec: SpecFile,
  {
    monitored,
    executor,
  }: { readonly monitored: boolean; readonly executor?: ExecutorName | undefined },
): number {
  return ledger.workflows.createWorkflow({
    ...toStore(spec, monitored),
    user: system.host.user,
    createdAt: system.clock.wallSeconds(),
    executor,
  })
}
