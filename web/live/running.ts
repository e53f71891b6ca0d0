import { computed, effect, signal } from '@preact/signals'
import type { JobBrief, JobPage } from '../../src/server/schemas/job.ts'
import { ask } from '../api.ts'
import { me } from '../me.ts'
import { gone } from './ended.ts'
import { withChanges } from './merge.ts'
import { changedJobs } from './news.ts'
import { resets } from './stream.ts'

const read = signal<readonly JobBrief[] | undefined>(undefined)

/** Jobs that ended while nobody told of it. Lists by their start may not have them: they may have run for days. */
export const endedUntold = signal<readonly JobBrief[]>([])
const mostUntold = 20

async function readRunning(): Promise<void> {
  try {
    const before = runningJobs.peek() ?? []
    const { jobs } = await ask<JobPage>('/jobs?status=running&limit=200')
    read.value = jobs
    const lost = gone(before, jobs, changedJobs.peek()).slice(0, mostUntold)
    if (lost.length === 0) return
    const found = await Promise.all(
      lost.map(({ task_id: id }) => ask<JobPage>(`/jobs?limit=1&search=${id}`)),
    )
    const ended = found.flatMap((page) => page.jobs).filter(({ status }) => status !== 'running')
    endedUntold.value = [...ended, ...endedUntold.peek()].slice(0, mostUntold)
  } catch {
    // The page says that the server does not answer; what runs comes with the next reading, or by events.
  }
}

/** What runs now, the newest first; undefined before it was read. */
export const runningJobs = computed((): readonly JobBrief[] | undefined =>
  read.value === undefined
    ? undefined
    : withChanges(read.value, changedJobs.value, ({ status }) => status === 'running'),
)

effect(() => {
  void resets.value
  if (me.value) void readRunning()
})
