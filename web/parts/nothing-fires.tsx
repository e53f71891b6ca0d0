import type { AlertRules } from '../../src/server/schemas/alert.ts'
import { hasReadAlerts } from '../live/alerts.ts'
import type { Asked } from '../asked.ts'

/** Why no alert is there: nothing is wrong, nothing is watched, or nobody knows yet. */
export function NothingFires({ rules: { value, error } }: { readonly rules: Asked<AlertRules> }) {
  if (error !== undefined) return <p class="quiet">{error.message}</p>
  if (value === undefined || !hasReadAlerts.value) return <p class="loading">Looking…</p>
  if (value.file !== null)
    return <p class="quiet">Nothing is wrong, as far as the rules can tell.</p>
  return (
    <p class="quiet">
      No alerts are set up, so nothing is watched. Rules and who is told stand in{' '}
      <code>~/.config/jobmeter/alerts.yaml</code>; a file with nothing but <code>{'{}'}</code> in it
      has the shipped rules watch every job.
    </p>
  )
}
