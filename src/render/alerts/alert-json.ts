import type { ListedAlert } from '../../model/alert.ts'
import { utcTime } from '../units/iso-time.ts'

export const alertJson = (alert: ListedAlert): object => ({
  alert_id: alert.alertId,
  status: alert.resolvedAt === null ? 'firing' : 'resolved',
  rule: alert.rule,
  severity: alert.severity,
  text: alert.text,
  metric: alert.metric,
  value: alert.value,
  threshold: alert.threshold,
  host: alert.subject.host,
  job_name: alert.subject.job,
  task_id: alert.subject.taskId,
  gpu: alert.subject.gpu,
  fired_at: utcTime(alert.firedAt),
  resolved_at: utcTime(alert.resolvedAt),
  resolved_because: alert.resolvedBecause,
  acknowledged_at: utcTime(alert.acknowledgedAt),
  acknowledged_by: alert.acknowledgedBy,
  deliveries: alert.deliveries.map(({ channel, kind, state, attempts, lastError }) => ({
    channel,
    kind,
    state,
    attempts,
    last_error: lastError,
  })),
})
