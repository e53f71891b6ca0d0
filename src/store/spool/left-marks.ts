import { isOpen } from '../../model/outcome.ts'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
} from 'node:fs'
import { markLimits } from '../../model/marks/mark.ts'
import { parseMarks, type MarksFound } from '../../model/marks/parse-marks.ts'
import type { JobRecord } from '../../model/record.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { forgottenSeconds } from './life-sign.ts'
import { safePlaces } from './spool-directory.ts'
import { isMarks, leftOf, recordName, signName, taskOfMarks } from './spool-names.ts'

/**
 * Keeps the marks of jobs whose runner was killed before it could read them, and removes what is left of others. Answers
 * what of them could not be used.
 */
export function takeInLeftMarks(
  { jobs }: Pick<Ledger, 'jobs'>,
  path: string,
  wallSeconds: number,
): readonly string[] {
  const problems: string[] = []
  const places = safePlaces(path).map(({ directory }) => ({ directory, names: namesIn(directory) }))
  const isSpokenFor = (task: string): boolean =>
    places.some(({ names }) => filesOf(task).some((file) => names.has(file)))
  for (const { directory, names } of places)
    for (const name of [...names].filter(isMarks)) {
      const task = taskOfMarks(name)
      const file = `${directory}/${name}`
      const record = jobs.findByPrefix(task).find(({ taskId }) => taskId === task)
      // The runner of a job that runs reads them; a job that is not known may be about to run, unless it is long ago.
      const isInUse =
        record === undefined
          ? isSpokenFor(task) || ageSeconds(file, wallSeconds) < forgottenSeconds
          : isOpen(record.status)
      if (isInUse) continue
      if (record?.status === 'interrupted') {
        const { marks, trouble } = marksOf(file, record)
        jobs.addMarks(task, marks)
        if (trouble !== null)
          problems.push(`some marks of task ${task.slice(0, 12)} are not kept: ${trouble}`)
      }
      removeIfPossible(file)
    }
  return problems
}

/** What shows that somebody has a task that the ledger does not know. */
const filesOf = (task: string): readonly string[] => [
  recordName(task),
  leftOf(recordName(task)),
  signName(task),
]

/** Since anything was written to it; 0 for what cannot be looked at. */
function ageSeconds(file: string, wallSeconds: number): number {
  try {
    return wallSeconds - lstatSync(file).mtimeMs / 1000
  } catch {
    return 0
  }
}

/** A file too many does no harm. A job may have made a folder of that name. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true, recursive: true })
  } catch {
    return
  }
}

function namesIn(directory: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(directory))
  } catch {
    return new Set()
  }
}

/** Lines without a time are of the last moment that is known of the job. */
function marksOf(file: string, { startedAt, endedAt }: JobRecord): MarksFound {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    if (!lstatSync(file).isFile()) return { marks: [], trouble: `${file} is not a plain file` }
    const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const { size, mtimeMs } = fstatSync(descriptor)
      const bytes = Buffer.alloc(Math.min(size, markLimits.fileBytes))
      const length = readSync(descriptor, bytes, 0, bytes.length, 0)
      const life = { startedAt, endedAt: Math.max(endedAt ?? startedAt, mtimeMs / 1000) }
      return parseMarks(bytes.subarray(0, length), [], life)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    return { marks: [], trouble: error instanceof Error ? error.message : String(error) }
  }
}
