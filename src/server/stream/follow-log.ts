import { isOpen } from '../../model/outcome.ts'
import type { JobRecord } from '../../model/record.ts'
import { followLog as piecesOf, type LogStart } from '../../service/live/follow-log.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { System } from '../../system/system.ts'
import type { Served } from '../served.ts'
import { eventStream, frame, type Listening } from './event-stream.ts'

/** Whether the attempt goes on is asked of the ledger, which has more to do. */
const secondsPerQuestion = 1

const encoder = new TextEncoder()

export interface FollowAsked {
  readonly path: string
  /** Only so many bytes of what is there. */
  readonly tail: number | undefined
  /** The id of the last event that was got: how far the log was read. */
  readonly after: string | undefined
}

/** Sends a log as it grows, until its attempt is over: events `log`, then `end`. */
export function followLog(
  { system, closing, own }: Pick<Served, 'system' | 'closing' | 'own'>,
  reader: LedgerReader,
  record: JobRecord,
  asked: FollowAsked,
): Response {
  const onDropped = (): void => own.slowClientDropped()
  return eventStream({ clock: system.clock, closing, onDropped }, (listening) => {
    const leaving = new AbortController()
    const goesOn = stillRuns(system, reader, record)
    const pieces = piecesOf(system, asked.path, startOf(system, asked), goesOn, leaving.signal)
    void sendPieces(pieces, listening)
    return () => leaving.abort()
  })
}

async function sendPieces(
  pieces: ReturnType<typeof piecesOf>,
  { send, room, end }: Listening,
): Promise<void> {
  // A character may be cut in two by where a piece ends.
  const decoder = new TextDecoder()
  let last = 0
  for await (const { offset, bytes, isAnew } of pieces) {
    const data = { from: offset, text: decoder.decode(bytes, { stream: true }), is_anew: isAnew }
    last = offset + bytes.length
    if (!send(encoder.encode(frame('log', JSON.stringify(data), String(last))))) return
    await room()
  }
  send(encoder.encode(frame('end', '{}', String(last))))
  end()
}

function startOf({ files }: System, { path, tail, after }: FollowAsked): LogStart {
  if (after !== undefined && /^\d{1,15}$/.test(after)) return { offset: Number(after) }
  if (tail === undefined) return { offset: 0 }
  const descriptor = files.openLog(path)
  if (descriptor < 0) return { offset: 0 }
  const size = files.lookAt(descriptor, path)?.sizeBytes ?? 0
  files.close(descriptor)
  return { offset: Math.max(0, size - tail) }
}

function stillRuns(
  { clock }: System,
  { jobs }: LedgerReader,
  { taskId, status }: JobRecord,
): () => Promise<boolean> {
  let isRunning = isOpen(status)
  let askedAt = clock.monotonicSeconds()
  return async () => {
    const now = clock.monotonicSeconds()
    if (!isRunning || now - askedAt < secondsPerQuestion) return isRunning
    askedAt = now
    try {
      const [record] = await jobs.findByPrefix(taskId)
      isRunning = record !== undefined && isOpen(record.status)
    } catch {
      // A ledger that cannot be read at the moment says nothing about the job.
    }
    return isRunning
  }
}
