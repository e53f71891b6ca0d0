import { StoreError } from '../store/errors.ts'
import { SeenByOwners } from '../store/spool/seen-by-owners.ts'
import { killedReason } from '../store/ledger/interrupted.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import { removeAbandonedSigns } from '../store/spool/life-sign.ts'
import { JobsInPlace } from '../store/spool/jobs-in-place.ts'
import { readInPlace, takeIn } from '../store/spool/take-in.ts'
import { takeInLeftMarks } from '../store/spool/left-marks.ts'
import { isHidden } from '../store/spool/spool-directory.ts'
import { isForeignToRoot } from '../store/strangers.ts'
import { openSqliteInPlace } from '../store/ledger/open-in-place.ts'
import { openSqliteLedger } from '../store/ledger/open.ts'
import { WorkflowsInPlace } from '../store/ledger/workflows/workflows-in-place.ts'
import { usualLockWait, type FileSettings } from '../store/sqlite/open-private.ts'
import type { System } from '../system/system.ts'
import { Owners } from './owners.ts'

/**
 * Opens the ledger with what has been waiting to get into it. Attempts whose runner has died are called what they are.
 * Records that cannot be read are told to `onProblem`, and do not keep the others from being read.
 *
 * A ledger that cannot be written to is read as it is, together with what waits; only who writes to it hears an error.
 */
export function openLedgerAt(
  system: System,
  path: string,
  onProblem: (problem: string) => void = () => {},
): Ledger {
  refuseForeign(path)
  let ledger: Ledger | undefined
  try {
    ledger = openSqliteLedger(path, { onProblem })
    ledger.waitForLocks(shortLockWait)
    bringUpToDate(system, ledger, path, onProblem)
    ledger.waitForLocks(usualLockWait)
    return ledger
  } catch (error) {
    if (!isPassing(error)) {
      ledger?.close()
      throw error
    }
    // An empty answer would say that there is nothing, of a place that nobody may look into.
    if (
      ledger === undefined &&
      isHidden(path) &&
      readInPlace(path, new Owners(system, path)).attempts.length === 0
    )
      throw error
    return inPlace(system, ledger ?? openSqliteInPlace(path, error, { onProblem }), path, {
      because: error,
      onProblem,
    })
  }
}

/** Nobody is served while a server waits for a lock. */
const servedLockWait = { milliseconds: 250 }

/** The same for who stays: what waits is taken in by `bringUpToDate`, again and again. */
export function openLedgerToServe(path: string, onProblem: (problem: string) => void): Ledger {
  refuseForeign(path)
  const ledger = openSqliteLedger(path, { onProblem, lockWait: servedLockWait })
  ledger.expectManyQuestions()
  return ledger
}

/** A ledger that cannot be written to just now, with what waits beside it. */
export function ledgerAsItIs(
  system: System,
  path: string,
  { ledger, because }: { readonly ledger: Ledger | undefined; readonly because: StoreError },
): Ledger {
  const onProblem = (): void => {}
  const opened = ledger ?? openSqliteInPlace(path, because, { onProblem })
  return inPlace(system, opened, path, { because, onProblem })
}

/** The same for who only looks, while another part of this process may write to it: nothing is taken in or changed. */
export function openLedgerToLook(system: System, path: string): Ledger {
  refuseForeign(path)
  const because = new StoreError('unreadable', path, 'opened for a look only')
  const ledger = openSqliteInPlace(path, because)
  return inPlace(system, ledger, path, { because, onProblem: () => {} })
}

/** People who ask wait for an answer: what cannot be taken in by then is read where it lies. */
const shortLockWait = { milliseconds: 2_000 }

/** The same for who must write: throws where he cannot. */
export function openLedgerToWrite(
  system: System,
  path: string,
  settings: FileSettings = {},
): Ledger {
  refuseForeign(path)
  const ledger = openSqliteLedger(path, settings)
  try {
    bringUpToDate(system, ledger, path, settings.onProblem ?? (() => {}))
    return ledger
  } catch (error) {
    ledger.close()
    throw error
  }
}

/** SQLite opens files by their names, and whose names these are could have root write to any file. */
function refuseForeign(path: string): void {
  if (isForeignToRoot(path))
    throw new StoreError('unreadable', path, 'root does not use a ledger that others can change')
}

/** What may keep people from writing, and not from reading. */
const passing: ReadonlySet<string> = new Set(['locked', 'full', 'unreadable'])

export const isPassing = (error: unknown): error is StoreError =>
  error instanceof StoreError && passing.has(error.code)

/** Takes in what waits, all of it or the files that are chosen, and calls attempts interrupted whose owner is dead. */
export function bringUpToDate(
  system: System,
  ledger: Ledger,
  path: string,
  onProblem: (problem: string) => void,
  choose?: (files: readonly string[]) => readonly string[],
): void {
  const owners = new Owners(system, path)
  takeIn(ledger, path, owners, choose).forEach(onProblem)
  interruptDead(ledger, owners)
  const now = system.clock.wallSeconds()
  takeInLeftMarks(ledger, path, now).forEach(onProblem)
  removeAbandonedSigns(path, system.files.tryLock, now)
}

function inPlace(
  system: System,
  ledger: Ledger,
  path: string,
  { because, onProblem }: { because: StoreError; onProblem: (problem: string) => void },
): Ledger {
  const owners = new Owners(system, path)
  const { attempts, problems } = readInPlace(path, owners)
  problems.forEach(onProblem)
  if (attempts.length > 0)
    onProblem(
      `records outside the ledger: ${attempts.length}. They stay where they are: ${because.message}`,
    )
  const jobs = new JobsInPlace(ledger.jobs, attempts, owners, new SeenByOwners(path))
  const workflows = new WorkflowsInPlace(ledger.workflows, () => jobs.interruptedInWorkflows())
  return { ...ledger, jobs, workflows }
}

/**
 * Calls attempts interrupted whose owner is dead. One that tells its end after all is believed. Those that were handed
 * elsewhere may go on without it, and are left to whoever sees to their workflow next.
 */
export function interruptDead({ jobs, path }: Ledger, owners: Owners, seenTo?: number): void {
  const seen = new SeenByOwners(path)
  for (const { taskId, workflowId, isElsewhere, owner, heardAt } of jobs.running())
    if ((!isElsewhere || workflowId === seenTo) && owners.isDead(owner, heardAt))
      jobs.interrupt(taskId, killedReason, seen.of(taskId, owner))
}
