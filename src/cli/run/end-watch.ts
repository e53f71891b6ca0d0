import type { LaunchResult } from '../../launch/request.ts'
import type { AttemptRecord } from '../../model/record.ts'
import type { Recording } from '../../record/recording.ts'
import type { System } from '../../system/system.ts'
import type { Console } from '../terminal/console.ts'
import { furtherLines } from './further-lines.ts'
import { recordText } from './record-text.ts'
import { summarise } from './run-summary.ts'
import type { WatchedRecording } from './watched-alerts.ts'

interface WatchEnd {
  readonly recording: Recording
  readonly result: LaunchResult
  readonly watched: WatchedRecording
}

/** Writes down what was watched, and tells it. */
export async function endWatch(
  system: System,
  { recording, result, watched }: WatchEnd,
  { format, quiet }: { readonly format: string; readonly quiet: boolean },
  console: Console,
): Promise<AttemptRecord> {
  const record = recording.finish(result)
  watched.end(record)
  if (format === 'json') console.print(await recordText(recording, record))
  else if (!quiet) {
    const further = await furtherLines(system, record)
    console.note(summarise(record, result.outline, console.style(2), further))
  }
  await recording.tidySpool()
  for (const problem of recording.problems) console.complain(problem)
  return record
}
