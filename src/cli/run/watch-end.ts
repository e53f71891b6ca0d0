import type { LaunchResult } from '../../launch/request.ts'
import type { Recording } from '../../record/recording.ts'
import type { Console } from '../terminal/console.ts'
import { recordText } from './record-text.ts'
import { summarise } from './run-summary.ts'

/** Writes down what was watched, and tells it. */
export async function endWatch(
  recording: Recording,
  result: LaunchResult,
  { format, quiet }: { readonly format: string; readonly quiet: boolean },
  console: Console,
): Promise<number> {
  const record = recording.finish(result)
  if (format === 'json') console.print(await recordText(recording, record))
  else if (!quiet) console.note(summarise(record, result.outline, console.style(2)))
  await recording.tidySpool()
  for (const problem of recording.problems) console.complain(problem)
  return 0
}
