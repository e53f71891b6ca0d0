import type { Meter } from '../../meter/meter.ts'
import type { Job } from '../../model/job.ts'
import type { AttemptRecord } from '../../model/record.ts'
import type { Recording } from '../../record/recording.ts'
import type { System } from '../../system/system.ts'
import type { Console } from '../terminal/console.ts'
import { alertsFor } from './alerts-for.ts'
import { sinksFor } from './watched-sinks.ts'

/** What is seen of a watched job goes to its record and to its alerts; `end` says that it is over. */
export interface WatchedRecording {
  readonly sinks: ReturnType<typeof sinksFor>
  end(record: AttemptRecord): void
}

/** Of a job that was running already: nothing limits it but who started it. */
export async function alertsOfWatched(
  system: System,
  meter: Meter,
  { ledger, job, recording }: { ledger: string; job: Job; recording: Recording },
  { alerts: named, interval }: { alerts: string | undefined; interval: number },
  console: Console,
): Promise<WatchedRecording> {
  const alerts = await alertsFor(system, ledger, named, console)
  const unlimited = { memoryLimitBytes: null, timeoutSeconds: null }
  const watched = alerts?.watch(
    { ...job, ...unlimited, taskId: recording.taskId, intervalSeconds: interval },
    { cores: system.host.cores, memoryBytes: meter.machineMemoryBytes() },
  )
  return {
    sinks: sinksFor(recording, watched),
    end(record) {
      watched?.ended(record, true)
      alerts?.end()
    },
  }
}
