import { shortened, rows } from '../../../src/browser/report/table-parts.ts'
import { tileList } from '../../../src/browser/report/outcome.ts'
import { count } from '../../../src/model/count.ts'
import { briefBytes, briefSeconds } from '../../../src/render/units/brief-figures.ts'
import { formatCount, orDash } from '../../../src/render/units/figures.ts'
import type { Plan as Planned } from '../../../src/server/schemas/workflow.ts'
import { useAsked } from '../../asked.ts'
import { resets } from '../../live/stream.ts'
import { Drawn } from '../../parts/drawn.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import type { WorkflowNow } from './read.ts'

/** What it is to do, by its file alone: stages, the longest chain, the most at once. */
export function Plan({ workflow: { path } }: { readonly workflow: WorkflowNow }) {
  const { value: plan, error } = useAsked<Planned>(`${path}/plan`, resets.value).value
  if (plan === undefined)
    return error === undefined ? <p class="loading">Reading…</p> : <ProblemNote error={error} />
  return (
    <>
      <Section
        id="plan"
        title="Plan"
        note="By its file alone, whatever happened since: what runs after what, and what it needs."
      >
        <Drawn of={plan} make={() => [tileList(tilesOf(plan))]} />
        {plan.does_not_fit.length > 0 && (
          <p class="why-ended">
            {count(plan.does_not_fit.length, 'job asks', 'jobs ask')} for more than this machine
            has:{' '}
            {plan.does_not_fit
              .map(({ job }) => job)
              .slice(0, 5)
              .join(', ')}
          </p>
        )}
      </Section>
      <Section id="stages" title="Stages" note="Jobs of one stage wait for none of their own.">
        <Drawn of={plan} make={() => [stageTable(plan)]} />
      </Section>
      {plan.critical_path.length > 1 && (
        <Section
          id="critical"
          title="Critical path"
          note={
            plan.critical_path_seconds === null
              ? 'The chain with the most jobs. How long it takes is not known: no runtimes are given.'
              : plan.jobs_without_runtime === 0
                ? 'The chain of jobs that takes longest, by the runtimes that they asked for.'
                : 'The chain of jobs that takes longest, by the runtimes that they asked for. Jobs without a runtime count as 0 s.'
          }
        >
          <ol class="critical-list">
            {plan.critical_path.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ol>
        </Section>
      )}
    </>
  )
}

function tilesOf({ totals, peak, critical_path_seconds: seconds, ...plan }: Planned) {
  return [
    {
      label: 'Jobs',
      figure: formatCount(totals.jobs),
      note: count(totals.dependencies, 'dependency', 'dependencies'),
      mood: 'plain' as const,
    },
    {
      label: 'Stages',
      figure: formatCount(totals.stages),
      note: 'one after the other',
      mood: 'plain' as const,
    },
    {
      label: 'Most at once',
      figure: count(peak.jobs, 'job'),
      note: peakWords(peak),
      mood: 'plain' as const,
    },
    {
      label: 'At the least',
      figure: orDash(seconds, briefSeconds),
      note:
        plan.jobs_without_runtime === 0
          ? 'by the runtimes asked for'
          : `${count(plan.jobs_without_runtime, 'job')} asked for no runtime`,
      mood: 'plain' as const,
    },
  ]
}

const peakWords = ({ cpus, memory_bytes: memory, gpus }: Planned['peak']): string =>
  [
    count(cpus, 'core'),
    memory > 0 ? briefBytes(memory) : null,
    gpus > 0 ? count(gpus, 'GPU') : null,
  ]
    .filter((each) => each !== null)
    .join(', ')

const namesShown = 6

function stageTable({ stages, jobs }: Planned): HTMLElement {
  const jobOf = new Map(jobs.map((job) => [job.name, job]))
  const sum = (names: readonly string[], key: 'cpus' | 'memory_bytes'): number | null => {
    const values = names.flatMap((name) => jobOf.get(name)?.resource_requirements[key] ?? [])
    return values.length === 0 ? null : values.reduce((all, each) => all + each, 0)
  }
  const lines = stages.map((names, index) => [
    `Stage ${index + 1}`,
    formatCount(names.length),
    orDash(sum(names, 'cpus'), formatCount),
    orDash(sum(names, 'memory_bytes'), briefBytes),
    names.length <= namesShown
      ? names.join(', ')
      : `${names.slice(0, namesShown).join(', ')} and ${formatCount(names.length - namesShown)} more`,
  ])
  const headers = [
    ['Stage'],
    ['Jobs', 'figure'],
    ['Cores asked', 'figure'],
    ['Memory asked', 'figure'],
    ['Which'],
  ] as const
  return lines.length > 12
    ? shortened('Stages of the plan', headers, lines)
    : rows('Stages of the plan', headers, lines)
}
