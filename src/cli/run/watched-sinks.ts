import type { LaunchRequest } from '../../launch/request.ts'
import type { Recording } from '../../record/recording.ts'
import type { JobAlerts } from '../../service/alerts/job-alerts.ts'

type Sinks = Required<Pick<LaunchRequest, 'onSamples' | 'onDevices'>>

/** What is seen of a job goes to its record, first, and to its alerts, as far as there are any. */
export function sinksFor(kept: Recording | undefined, alerts: JobAlerts | undefined): Sinks {
  if (alerts === undefined)
    return kept === undefined
      ? { onSamples: () => {}, onDevices: () => {} }
      : { onSamples: kept.addSamples, onDevices: kept.addDevices }
  return {
    onSamples(rows, count, columns) {
      kept?.addSamples(rows, count, columns)
      alerts.samples(rows, count, columns)
    },
    onDevices(devices) {
      kept?.addDevices(devices)
      alerts.devices(devices)
    },
  }
}
