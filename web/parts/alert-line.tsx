import { useSignal } from '@preact/signals'
import { acknowledge } from '../live/alerts.ts'
import type { AlertNow } from '../live/news.ts'
import { mayAct } from '../me.ts'
import { momentSeconds } from '../moment.ts'
import { Status } from './status.tsx'
import { Ago } from './time.tsx'

/** An alert: what is wrong, of which job, since when, and who looks after it. */
export function AlertLine({ alert }: { readonly alert: AlertNow }) {
  const failed = useSignal<string | null>(null)
  const isWaiting = useSignal(false)
  const take = async (): Promise<void> => {
    isWaiting.value = true
    try {
      await acknowledge(alert.alert_id)
    } catch (error) {
      failed.value = error instanceof Error ? error.message : String(error)
    }
    isWaiting.value = false
  }
  const isFiring = alert.status === 'firing'
  return (
    <li class="alert-line">
      <div class="alert-head">
        <Status status={isFiring ? alert.severity : 'resolved'} />
        <strong>{alert.rule}</strong>
        <span class="quiet">
          <Ago at={momentSeconds(alert.fired_at)} />
        </span>
      </div>
      <p>{isFiring ? alert.text : (alert.resolved_because ?? alert.text)}</p>
      <div class="alert-foot">
        <a data-row href={`/jobs/${alert.task_id}`}>
          {alert.job_name ?? alert.host}
        </a>
        {alert.acknowledged_at === null ? (
          isFiring &&
          mayAct() && (
            <button type="button" disabled={isWaiting.value} onClick={() => void take()}>
              Acknowledge
            </button>
          )
        ) : (
          <small>acknowledged by {alert.acknowledged_by}</small>
        )}
      </div>
      {failed.value !== null && <p role="alert">{failed.value}</p>}
    </li>
  )
}
