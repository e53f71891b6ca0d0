import { basename } from 'node:path'
import type { Ledger } from '../../store/ledger/ledger.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { System } from '../../system/system.ts'
import type { SpecError } from '../../workflow/spec/problem.ts'
import type { SpecResult } from '../../workflow/spec/read-spec.ts'
import { whyHostile } from '../../workflow/spec/text-size.ts'
import { refuseWhileRun, workflowToChange } from '../find-workflow.ts'
import { storeSpec } from '../spec-file.ts'
import { UserError } from '../user-error.ts'
import { isOver, startProgram, type StartedProgram, type StartPlace } from './start-program.ts'

/** A workflow file as somebody sends it. */
export interface SubmittedSpec {
  readonly text: string
  /** Such as `pipeline.yaml`: its ending tells how it is written. */
  readonly fileName: string
}

export type SubmittedWorkflow =
  | { readonly kind: 'started'; readonly workflowId: number; readonly runner: StartedProgram }
  | { readonly kind: 'wrong'; readonly errors: readonly SpecError[] }

/** What is too long to read, or would take too much to read, is refused first. */
export function refuseHostile({ text, fileName }: SubmittedSpec): void {
  if (fileName !== basename(fileName) || fileName.startsWith('.'))
    throw new UserError('file_name: expected the name of a file, without a folder', 'usage')
  const hostile = whyHostile(text)
  if (hostile !== undefined) throw new UserError(`spec: the file is ${hostile}`, 'usage')
}

/**
 * Keeps a workflow in the ledger and has a runner of its own run it. What is wrong with the text, as it was read, is told,
 * and nothing kept.
 */
export function submitWorkflow(
  system: System,
  ledger: Ledger,
  place: StartPlace,
  { text, fileName }: SubmittedSpec,
  read: SpecResult,
): SubmittedWorkflow {
  if (read.kind !== 'ok') return { kind: 'wrong', errors: read.errors }
  const { workflow, unused } = read
  const workflowId = storeSpec(
    system,
    ledger,
    { path: fileName, isSent: true, text, workflow, unused },
    { monitored: true },
  )
  return { kind: 'started', workflowId, runner: startRunner(system, place, workflowId) }
}

/** Has what is left of a workflow run, by a runner of its own. Refused while somebody runs it. */
export function resumeWorkflow(
  system: System,
  ledger: Ledger,
  place: StartPlace,
  typed: string,
): { readonly runner: StartedProgram; readonly runsBefore: number } {
  const workflow = workflowToChange(ledger, typed)
  refuseWhileRun(system, ledger, workflow, 'resumed')
  const { workflowId, latestRunId } = workflow
  return { runner: startRunner(system, place, workflowId), runsBefore: latestRunId ?? 0 }
}

const lookSeconds = 0.05

/** What a runner said that ended before it began. */
const mostWords = 2000

/**
 * Waits until a runner has begun its run, so that nobody else can start a second one. That it has the workflow is not enough:
 * it may yet find that no run can begin, and give it back.
 *
 * @throws UserError with its words, if it ended without beginning a run
 */
export async function untilTaken(
  system: System,
  reader: LedgerReader,
  workflowId: number,
  { runner, runsBefore }: { readonly runner: StartedProgram; readonly runsBefore: number },
  withinSeconds: number,
): Promise<void> {
  const { clock } = system
  const until = clock.monotonicSeconds() + withinSeconds
  while (clock.monotonicSeconds() < until) {
    // In this order: what it wrote before it ended is seen.
    const wasOver = isOver(system, runner)
    const head = await reader.workflows.findWorkflowRow(workflowId)
    if ((head?.latestRunId ?? 0) > runsBefore) return
    if (wasOver) throw new UserError(lastWords(system, runner), 'usage')
    await new Promise<void>((resolve) => clock.after(lookSeconds, resolve))
  }
}

function lastWords({ files }: System, { stderr }: StartedProgram): string {
  const said = files.readUtf8(stderr, mostWords * 10)
  const text = said.kind === 'ok' ? said.value.replaceAll('jobmeter: ', '').trim() : ''
  return text === '' ? 'The workflow was not begun.' : text.slice(-mostWords)
}

const startRunner = (system: System, place: StartPlace, workflowId: number): StartedProgram =>
  startProgram(system, place, `workflow-${workflowId}`, [
    'run-jobs',
    String(workflowId),
    '--quiet',
    `--db=${place.ledger}`,
  ])
