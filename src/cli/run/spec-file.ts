import { basename, dirname, join, resolve } from 'node:path'
import { megabyte } from '../../model/bytes.ts'
import type { Workflow } from '../../model/workflow.ts'
import { defaultMonitor } from '../../model/workflow.ts'
import { suggest } from '../../model/suggest.ts'
import { printable } from '../../render/text/printable.ts'
import type { Ledger } from '../../store/ledger.ts'
import type { Spec } from '../../store/workflow-store.ts'
import type { System } from '../../system/system.ts'
import { formatSpecError } from '../../workflow/spec/problem.ts'
import { isSpecName, readSpec } from '../../workflow/spec/read-spec.ts'
import { UserError } from '../terminal/user-error.ts'

/** A workflow file, read and found to be right. */
export interface SpecFile {
  readonly path: string
  readonly text: string
  readonly workflow: Workflow
  /** What to tell people of it in one line; null where there is nothing. */
  readonly note: string | null
}

/** 100,000 jobs written out take 20 MB; a file of twice as much that is read whole takes 4 GB of memory. */
export const mostSpecBytes = 32 * megabyte

/** Nobody reads more at once. */
const mostUnused = 5
const mostErrors = 100

/** Reads a workflow file; all that is wrong with it is said at once, and the exit code is 2. */
export function readSpecFile(system: System, path: string): SpecFile {
  const text = system.files.readUtf8(path, mostSpecBytes)
  if (text.kind !== 'ok')
    throw new UserError(
      `${text.kind === 'unavailable' ? text.why : text.error}${nearFile(system, path)}`,
      2,
    )
  const result = readSpec(text.value, path)
  if (result.kind === 'ok')
    return { path, text: text.value, workflow: result.workflow, note: noteOf(path, result.unused) }
  const count = result.errors.length
  const shown = result.errors
    .slice(0, mostErrors)
    .map((error) => printable(formatSpecError(error)))
    .join('\n')
  const more = count > mostErrors ? `\n… and ${count - mostErrors} more` : ''
  throw new UserError(
    `${count === 1 ? 'an error' : `${count} errors`} in ${printable(path)}; nothing was stored\n${shown}${more}`,
    2,
  )
}

/** `. Did you mean pipeline.yaml?` where a workflow file beside it has nearly the same name. */
function nearFile({ files }: System, path: string): string {
  const folder = dirname(path)
  const listed = files.list(folder)
  if (listed.kind !== 'ok' || listed.value.includes(basename(path))) return ''
  const candidates = listed.value.filter(isSpecName)
  const near = suggest(basename(path), candidates)
  return near === undefined ? '' : `. Did you mean ${join(folder, near)}?`
}

function noteOf(path: string, unused: readonly string[]): string | null {
  if (unused.length === 0) return null
  const more = unused.length > mostUnused ? ` and ${unused.length - mostUnused} more` : ''
  return printable(`${path}: without effect here: ${unused.slice(0, mostUnused).join(', ')}${more}`)
}

/** What is kept of a file. */
export function toStore(
  { workflow, path, text }: SpecFile,
  monitored: boolean,
): Spec & { readonly workflow: Workflow } {
  return {
    workflow: monitored
      ? workflow
      : { ...workflow, monitor: { ...defaultMonitor, enabled: false } },
    // Whole: it may be resumed from another directory.
    specPath: resolve(path),
    specText: text,
  }
}

/** Keeps a workflow in the ledger; answers its id. */
export function storeSpec(
  system: System,
  ledger: Ledger,
  spec: SpecFile,
  { monitored }: { readonly monitored: boolean },
): number {
  return ledger.workflows.createWorkflow({
    ...toStore(spec, monitored),
    user: system.host.user,
    createdAt: system.clock.wallSeconds(),
  })
}
