import type { AttemptRecord } from '../../model/record.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { recordJson } from '../../render/record/record-json.ts'
import type { Recording } from '../../record/recording.ts'

/** The record as JSON, with the number that the ledger has given it. */
export async function recordText(recording: Recording, record: AttemptRecord): Promise<string> {
  const inLedger = await recording.inLedger()
  return `${jsonText(recordJson({ ...record, jobId: inLedger?.jobId ?? null, attempt: 1 }), 2)}\n`
}
