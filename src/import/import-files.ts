import { fileBytes } from '../system/file-bytes.ts'
import type { FoundFile } from '../system/file-tree.ts'
import { BadRecord } from './bad-record.ts'
import type { ImportTally, Outcome } from './tally.ts'
import type { RawRecord, Splitter } from './text/raw-record.ts'

/** What became of records: most of them are told together with others of the same sample or job. */
export interface Taken {
  readonly line: number
  readonly records: number
  readonly outcome: Outcome | BadRecord
}

/** Takes the records of one kind of file. */
export interface RecordReader {
  /** How to cut the file that begins so. */
  begin(start: Uint8Array): Splitter
  /** What is decided with this record; throws a BadRecord for this one alone. */
  take(record: RawRecord): readonly Taken[]
  /** What is decided when the file ends. */
  end(): readonly Taken[]
  /** Whether enough has been gathered to be committed. */
  readonly isFull: boolean
  commit(): void
}

export interface ImportWatcher {
  /** Bytes that were read since it was last told. */
  read(bytes: number, file: FoundFile): void
  /** Tells that somebody wants it to end: a pipe may have nothing to read for ever. */
  readonly signal: AbortSignal
}

/** Reads files one after the other. What was committed stays, whatever happens; true if all of it was read. */
export async function importFiles(
  files: readonly FoundFile[],
  reader: RecordReader,
  tally: ImportTally,
  watcher: ImportWatcher,
): Promise<boolean> {
  for (const file of files) {
    if (watcher.signal.aborted) break
    tally.files += 1
    try {
      await importFile(file, reader, tally, watcher)
    } catch (error) {
      if (watcher.signal.aborted && isAbort(error)) break
      const why = whyUnreadable(error)
      if (why === undefined) throw error
      tally.problems.push(`${file.path}: ${why}`)
    }
    if (reader.isFull) reader.commit()
  }
  reader.commit()
  return !watcher.signal.aborted
}

async function importFile(
  file: FoundFile,
  reader: RecordReader,
  tally: ImportTally,
  watcher: ImportWatcher,
): Promise<void> {
  const count = (taken: readonly Taken[]): void => {
    for (const { line, records, outcome } of taken)
      if (outcome instanceof BadRecord)
        tally.refuse(outcome.fault, { file: file.path, line, why: outcome.message }, records)
      else tally.accept(outcome, records)
  }
  const takeAll = (records: readonly RawRecord[]): void => {
    for (const record of records) {
      try {
        count(reader.take(record))
      } catch (error) {
        if (!(error instanceof BadRecord)) throw error
        count([{ line: record.line, records: 1, outcome: error }])
      }
      if (reader.isFull) reader.commit()
    }
  }
  let splitter: Splitter | undefined
  try {
    const { signal } = watcher
    for await (const chunk of fileBytes(file.path, signal, (bytes) => watcher.read(bytes, file))) {
      if (signal.aborted) break
      splitter ??= reader.begin(chunk)
      takeAll(splitter.push(chunk))
    }
  } finally {
    // Of a file that ends too early, what was read counts.
    const isCut = watcher.signal.aborted
    if (splitter !== undefined && !isCut) takeAll(splitter.end())
    if (!isCut) count(reader.end())
  }
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

/** What the user can do something about; undefined for faults of ours. */
function whyUnreadable(error: unknown): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code?.startsWith('Z_') || code === 'ERR_PADDING_2')
    return 'the compressed data is damaged or cut off; what came before it was read'
  if (syscall === undefined || code === undefined) return undefined
  if (code === 'EACCES' || code === 'EPERM') return 'no permission'
  if (code === 'ENOENT') return 'it does not exist any more'
  return code === 'EISDIR' ? 'it is a directory' : code
}
