import { element, type Child } from '../../../src/browser/dom.ts'
import { shortened } from '../../../src/browser/report/table-parts.ts'
import { fullRefOf } from '../../../src/model/job-ref.ts'
import { briefBytes, briefSeconds } from '../../../src/render/units/brief-figures.ts'
import { notMeasured, orDash } from '../../../src/render/units/figures.ts'
import type { NodeJobs } from '../../../src/server/schemas/node.ts'
import { coresWords } from '../../parts/cores-words.ts'
import { Drawn } from '../../parts/drawn.tsx'

type SeenJob = NodeJobs['jobs'][number]

/** Jobs that agents saw, each one click from its page. */
export function SeenJobs({
  jobs,
  caption,
}: {
  readonly jobs: readonly SeenJob[]
  readonly caption: string
}) {
  return <Drawn of={jobs} make={() => [jobTable(jobs, caption)]} />
}

export const jobPage = (job: Pick<SeenJob, 'kind' | 'id' | 'host'>): string =>
  `/node-jobs/${encodeURIComponent(fullRefOf(job))}`

function jobTable(jobs: readonly SeenJob[], caption: string): HTMLElement {
  const isOnCards = jobs.some(({ gpus, request }) => (gpus ?? 0) + (request?.gpus ?? 0) > 0)
  return shortened(
    caption,
    [
      ['Command'],
      ['User'],
      ['Job'],
      ['State'],
      ['Ran for', 'figure'],
      ['Cores, mean', 'figure'],
      ['Memory, peak', 'figure'],
      ...(isOnCards ? [['GPUs busy', 'figure'] as const] : []),
    ],
    jobs.map((job) => [
      link(job),
      job.user,
      job.shown_id ?? job.job,
      job.state ?? notMeasured,
      orDash(job.runtime_seconds, briefSeconds),
      share(job.cpu_mean_cores, job.request?.cpus ?? null, coresWords),
      share(job.memory_peak_bytes, job.request?.memory_bytes ?? null, briefBytes),
      ...(isOnCards ? [cards(job)] : []),
    ]),
  )
}

const link = (job: SeenJob): HTMLElement =>
  element('a', { href: jobPage(job), 'data-row': true }, job.job_name ?? job.command)

/** `1.4 of 8`, with a bar below where something was asked for. */
function share(used: number | null, asked: number | null, words: (value: number) => string): Child {
  if (used === null) return notMeasured
  if (!asked) return words(used)
  const part = (100 * used) / asked
  return element(
    'span',
    { class: part > 100 ? 'share over' : 'share', style: `--part:${Math.min(100, part)}%` },
    `${words(used)} `,
    element('small', {}, `of ${words(asked)}`),
  )
}

function cards({ gpu_seconds: busy, seen_seconds: seen, gpus, request }: SeenJob): Child {
  const asked = request?.gpus ?? gpus
  if (busy === null || !seen || !asked) return notMeasured
  return share(busy / seen, asked, coresWords)
}
