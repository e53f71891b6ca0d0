import type { JobRecord } from '../../model/record.ts'
import { printable } from '../text/printable.ts'
import { isoTime, type Zone } from '../units/zoned-time.ts'

/** When an attempt started, or why it has not. */
export const startText = (
  { status, startedAt, reason }: Pick<JobRecord, 'status' | 'startedAt' | 'reason'>,
  zone: Zone,
): string =>
  status === 'waiting' ? `not yet, ${printable(reason ?? '')}` : isoTime(startedAt, zone)
