import type { JobRecord } from '../../model/record.ts'
import { csvColumns, csvHeader, csvLines, type CsvWindow } from '../../render/series/samples-csv.ts'
import { describedSamples } from '../../service/described-samples.ts'
import { withMargin } from '../../service/rate-margin.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { TimeRange } from '../../store/series/series.ts'

/** So many samples are read at a time, and the next when these were sent: a series of any length takes no more memory. */
const samplesAtOnce = 5000

const encoder = new TextEncoder()

/** Every sample of a stretch of time as CSV. */
export async function csvAnswer(
  reader: LedgerReader,
  record: JobRecord,
  range: TimeRange,
  nowSeconds: number,
): Promise<Response> {
  const pieces = csvPieces(reader, record, range, nowSeconds)
  // What cannot be read is said instead of an answer.
  let next: Promise<IteratorResult<string, undefined>> | undefined = Promise.resolve(
    await pieces.next(),
  )
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await (next ?? pieces.next())
        next = undefined
        if (piece.done === true) controller.close()
        else controller.enqueue(encoder.encode(piece.value))
      },
      async cancel() {
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${record.taskId}.csv"`,
    },
  })
}

async function* csvPieces(
  reader: LedgerReader,
  record: JobRecord,
  range: TimeRange,
  nowSeconds: number,
): AsyncGenerator<string, undefined> {
  let names: readonly string[] | undefined
  for await (const window of windowsOf(reader, record, range, nowSeconds)) {
    const { from: fromSeconds, to: toSeconds } = window
    const around = withMargin({ fromSeconds, toSeconds }, record)
    const found = await describedSamples(reader, record, around)
    const head = names === undefined
    names ??= csvColumns(found)
    const lines = csvLines(found, record.machine.cores, names, window)
    if (head || lines !== '') yield head ? csvHeader(names) + lines : lines
  }
  return undefined
}

/** The series file of a run is read whole anyway; of the ledger, one window at a time. */
async function* windowsOf(
  reader: LedgerReader,
  record: JobRecord,
  { fromSeconds = 0, toSeconds = Infinity }: TimeRange,
  nowSeconds: number,
): AsyncGenerator<CsvWindow> {
  const inLedger = await reader.jobs.series(record.taskId, { newest: 1 })
  const step =
    inLedger.rows.length === 0 ? Infinity : samplesAtOnce * (record.samples.intervalSeconds ?? 1)
  const last = Math.min(toSeconds, record.durationSeconds ?? nowSeconds - record.startedAt)
  for (let from = fromSeconds; ; from += step) {
    const isLast = !(from + step <= last)
    yield { from, to: isLast ? toSeconds : from + step, isOpen: !isLast }
    if (isLast) return
  }
}
