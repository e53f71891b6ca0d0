import { computed, effect, signal } from '@preact/signals'
import type { Alerts } from '../../src/server/schemas/alert.ts'
import { act, ask } from '../api.ts'
import { me } from '../me.ts'
import { changedAlerts, type AlertNow } from './news.ts'
import { resets } from './stream.ts'

const read = signal<readonly AlertNow[] | undefined>(undefined)

async function readAlerts(): Promise<void> {
  try {
    read.value = (await ask<Alerts>('/alerts?all=true&limit=200')).alerts
  } catch {
    // The pages say that the server does not answer; alerts come with the next reading, or by events.
  }
}

effect(() => {
  void resets.value
  if (me.value) void readAlerts()
})

/** The latest alerts, each as it is now, those that fire first, then the newest first. */
export const latestAlerts = computed((): AlertNow[] => {
  const now = new Map((read.value ?? []).map((alert) => [alert.alert_id, alert]))
  for (const [id, alert] of changedAlerts.value) now.set(id, alert)
  return [...now.values()].sort(
    (a, b) =>
      a.status.localeCompare(b.status) || (b.fired_at ?? '').localeCompare(a.fired_at ?? ''),
  )
})

export const firingAlerts = computed(() =>
  latestAlerts.value.filter(({ status }) => status === 'firing'),
)

/** Before that, nobody knows whether one fires. */
export const hasReadAlerts = computed(() => read.value !== undefined)

/** Says that somebody looks after an alert. Everybody who looks on is told by an event. */
export async function acknowledge(alertId: string): Promise<void> {
  await act(`/alerts/${encodeURIComponent(alertId)}/acknowledge`)
  await readAlerts()
}
