import { useComputed, useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { hideTip, showTip } from '../../../src/browser/report/tip.ts'
import { groupJobs, type JobGroups } from '../../../src/analysis/workflow/graph/job-groups.ts'
import type { ReportData } from '../../../src/render/page/report-content.ts'
import type { Plan } from '../../../src/server/schemas/workflow.ts'
import { useAsked } from '../../asked.ts'
import { durationWords } from '../../parts/duration-words.ts'
import { peakMemoryWords } from '../../parts/share-figure.tsx'
import { query, setQuery } from '../../route.ts'
import { GroupBox, type Marked } from './graph/box.tsx'
import { boxesOf, openIn, openText } from './graph/boxes.ts'
import { drawingOf, type Drawing } from './graph/drawing.ts'
import { graphKey } from './graph/keyboard.ts'
import { JobLines, Lines } from './graph/lines.tsx'
import { StateMark } from './graph/state-mark.tsx'
import { SelectedJob } from './graph/selected-job.tsx'
import { GraphTools } from './graph/tools.tsx'
import { useNarrow } from './graph/narrow.ts'
import { useViewport, windowHeight, type Viewport } from './graph/viewport.ts'
import { filterJobs, JobFilter } from './job-filter.tsx'
import type { JobNow } from './job-now.ts'
import type { WorkflowNow } from './read.ts'

/** What waits for what, with the jobs of a template as one box that can be opened. */
export function Graph({
  workflow,
  report,
}: {
  readonly workflow: WorkflowNow
  readonly report: ReportData | undefined
}) {
  const { jobs, shape } = workflow
  const groups = useMemo(
    () => (jobs === undefined ? undefined : groupJobs(jobs)),
    [shape, jobs === undefined],
  )
  const critical = useCritical(workflow, report)
  if (jobs === undefined || groups === undefined) return <p class="loading">Reading…</p>
  if (jobs.length === 0) return <p class="quiet">This workflow has no jobs.</p>
  return (
    <section id="graph" aria-label="Graph">
      <JobFilter workflow={workflow} />
      <DrawnGraph jobs={jobs} groups={groups} critical={critical} />
    </section>
  )
}

/** The chain of jobs that decides when it ends: as it ran; before that, by the runtimes that were asked for. */
function useCritical(
  { path, progress, jobs, shape }: WorkflowNow,
  report: ReportData | undefined,
): ReadonlySet<number> {
  const isPlanned = progress.run_id === null
  const { value: plan } = useAsked<Plan>(isPlanned ? `${path}/plan` : undefined).value
  return useMemo(() => {
    const names = new Set(
      isPlanned
        ? plan?.critical_path
        : report?.jobs.flatMap(({ name, isCritical }) => (isCritical ? [name] : [])),
    )
    // One job alone is no chain.
    if (names.size < 2) return new Set()
    return new Set((jobs ?? []).flatMap(({ name }, index) => (names.has(name) ? [index] : [])))
  }, [shape, jobs === undefined, plan, report, isPlanned])
}

interface DrawnProps {
  readonly jobs: readonly JobNow[]
  readonly groups: JobGroups
  readonly critical: ReadonlySet<number>
}

function DrawnGraph({ jobs, groups, critical }: DrawnProps) {
  const asked = query.value
  const isNarrow = useNarrow()
  const openAsked = asked.get('open')
  const open = useMemo(() => openIn(openAsked, groups), [openAsked, groups])
  const drawing = useMemo(
    () => drawingOf(groups, boxesOf(groups, open, isNarrow), isNarrow),
    [groups, open, isNarrow],
  )
  const port = useViewport(drawing, isNarrow)
  const scale = useComputed(() => port.view.value.scale)
  const active = useSignal('group-0')
  const pointed = useSignal<number | null>(null)
  const dependents = useMemo(() => dependentsOf(groups), [groups])
  const selected = selectedIn(asked, jobs)
  const found = useMemo(() => foundIn(jobs, asked), [jobs, asked])
  const first = groups.groups[0]?.jobs.length === 1 ? 'job-0' : 'group-0'
  const isThere = hasNode(active.value, groups, open)
  const marked: Marked = { critical, found, selected, active: isThere ? active.value : first }
  const shownLines = pointed.value ?? selected
  const toggle = (group: number): void => toggleGroup(group, open, groups, port)
  return (
    <>
      <div class="graph-frame">
        <div
          class="graph-window"
          ref={port.outer}
          role="group"
          aria-label="Graph of the jobs. Arrow keys go from one to the next, Enter opens, Space selects a job, plus and minus zoom, 0 shows all."
          style={{ height: `${windowHeight(drawing, scale.value)}px` }}
          onKeyDown={(event) => press(event, port, jobs)}
          onFocusIn={({ target }) => {
            if (!(target instanceof HTMLElement)) return
            active.value = target.dataset['node'] ?? active.value
            pointed.value = jobAt(target)
            port.reveal(target)
          }}
          onFocusOut={() => (pointed.value = null)}
          onPointerMove={(event) => point(event, jobs, pointed)}
          onPointerLeave={() => {
            pointed.value = null
            hideTip()
          }}
          onClick={(event) => click(event, toggle, jobs)}
        >
          <div
            class="graph-sheet"
            ref={port.inner}
            style={{ width: `${drawing.width}px`, height: `${drawing.height}px` }}
          >
            <Boxes drawing={drawing} groups={groups} jobs={jobs} marked={marked} />
            <svg
              class="graph-lines"
              width={drawing.width}
              height={drawing.height}
              viewBox={`0 0 ${drawing.width} ${drawing.height}`}
              aria-hidden="true"
            >
              <Lines drawing={drawing} critical={critical} />
              {shownLines !== null && (
                <JobLines
                  job={shownLines}
                  drawing={drawing}
                  groups={groups}
                  dependents={dependents}
                />
              )}
            </svg>
          </div>
        </div>
        <GraphTools port={port} groups={groups} open={open} />
      </div>
      <GraphKey jobs={jobs} hasCritical={critical.size > 0} />
      {selected !== null && (
        <SelectedJob job={selected} jobs={jobs} groups={groups} dependents={dependents} />
      )}
    </>
  )
}

const Boxes = ({
  drawing,
  groups,
  jobs,
  marked,
}: {
  readonly drawing: Drawing
  readonly groups: JobGroups
  readonly jobs: readonly JobNow[]
  readonly marked: Marked
}) =>
  drawing.boxes.map((box, index) => (
    <GroupBox
      key={index}
      index={index}
      names={groups.groups[index]?.names ?? []}
      members={groups.groups[index]?.jobs ?? []}
      box={box}
      jobs={jobs}
      marked={marked}
    />
  ))

const GraphKey = ({
  jobs,
  hasCritical,
}: {
  readonly jobs: readonly JobNow[]
  readonly hasCritical: boolean
}) => (
  <ul class="graph-key">
    {[...new Set(jobs.map(({ state }) => state))].toSorted().map((state) => (
      <li key={state} class={`graph-job name ${state}`}>
        <StateMark state={state} />
        {state}
      </li>
    ))}
    {hasCritical && <li class="critical-key">critical path</li>}
    <li class="hint">Drag to move, Ctrl and wheel to zoom, Space to select</li>
  </ul>
)

const dependentsOf = ({ waitsFor }: JobGroups): number[][] => {
  const after: number[][] = waitsFor.map(() => [])
  for (const [job, before] of waitsFor.entries()) for (const each of before) after[each]?.push(job)
  return after
}

function selectedIn(asked: URLSearchParams, jobs: readonly JobNow[]): number | null {
  const id = asked.get('job')
  const index = id === null ? -1 : jobs.findIndex(({ jobId }) => String(jobId) === id)
  return index === -1 ? null : index
}

function foundIn(jobs: readonly JobNow[], asked: URLSearchParams): ReadonlySet<number> | null {
  const found = filterJobs(jobs, asked)
  if (found === jobs) return null
  const ids = new Set(found.map(({ jobId }) => jobId))
  return new Set(jobs.flatMap(({ jobId }, index) => (ids.has(jobId) ? [index] : [])))
}

/** Whether the Tab key has somewhere to go: a job in a closed box is not there. */
function hasNode(node: string, { groups, groupOf }: JobGroups, open: ReadonlySet<number>): boolean {
  const [kind, number = ''] = node.split('-')
  const index = Number(number)
  const group = kind === 'job' ? (groupOf[index] ?? -1) : index
  const isAlone = groups[group]?.jobs.length === 1
  return kind === 'job' ? isAlone || open.has(group) : !isAlone && group < groups.length
}

/** Opens or closes a group; its head stays under the pointer. */
function toggleGroup(
  group: number,
  open: ReadonlySet<number>,
  groups: JobGroups,
  { outer, pan }: Viewport,
): void {
  const head = (): DOMRect | undefined =>
    outer.current?.querySelector(`[data-group="${group}"]`)?.getBoundingClientRect()
  const before = head()
  const next = new Set([...open].filter((each) => each < groups.groups.length))
  if (!next.delete(group)) next.add(group)
  setQuery({ open: openText(next) })
  requestAnimationFrame(() => {
    const after = head()
    if (before !== undefined && after !== undefined)
      pan(before.left - after.left, before.top - after.top)
  })
}

function jobAt(target: EventTarget | null): number | null {
  const node = target instanceof Element ? target.closest<HTMLElement>('[data-job]') : null
  return node === null ? null : Number(node.dataset['job'])
}

function select(job: JobNow | undefined): void {
  if (job === undefined) return
  const isSelected = query.peek().get('job') === String(job.jobId)
  setQuery({ job: isSelected ? null : String(job.jobId) })
}

function press(event: KeyboardEvent, port: Viewport, jobs: readonly JobNow[]): void {
  const job = jobAt(event.target)
  const isOnlyHere = job !== null && jobs[job]?.taskId === null
  if (job !== null && (event.key === ' ' || (event.key === 'Enter' && isOnlyHere))) {
    event.preventDefault()
    select(jobs[job])
  } else graphKey(event, port)
}

/** A job that ran is a link; one that has not is looked at here. */
function click(event: MouseEvent, toggle: (group: number) => void, jobs: readonly JobNow[]): void {
  if (!(event.target instanceof Element)) return
  const head = event.target.closest<HTMLElement>('[data-group]')
  if (head !== null) toggle(Number(head.dataset['group']))
  const job = jobAt(event.target)
  if (job !== null && ((jobs[job]?.taskId ?? null) === null || event.shiftKey)) {
    event.preventDefault()
    select(jobs[job])
  }
}

function point(
  event: PointerEvent,
  jobs: readonly JobNow[],
  pointed: { value: number | null },
): void {
  const at = jobAt(event.target)
  pointed.value = at
  const job = at === null ? undefined : jobs[at]
  if (job === undefined || event.buttons !== 0) hideTip()
  else showTip(event, tipWords(job))
}

function tipWords(job: JobNow): string[] {
  const tries = job.attempts > 1 ? `, ${job.attempts} attempts` : ''
  const used = [
    job.durationSeconds === null
      ? null
      : `took ${durationWords(job.durationSeconds, job.lowerBounds)}`,
    peakMemoryWords(job.memoryPeakBytes, job.lowerBounds),
  ].filter((each) => each !== null)
  const waits =
    job.dependsOn.length === 0 ? 'waits for nothing' : `waits for ${job.dependsOn.length}`
  return [job.name, `${job.state}${tries}`, ...(used.length === 0 ? [] : [used.join(', ')]), waits]
}
