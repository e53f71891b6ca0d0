import '../style/admin.css'
import { rows } from '../../src/browser/report/table-parts.ts'
import { element } from '../../src/browser/dom.ts'
import { briefBytes, briefSeconds } from '../../src/render/units/brief-figures.ts'
import { coreHours, notMeasured, orDash, tableSeconds } from '../../src/render/units/figures.ts'
import { clockWords } from '../../src/render/units/clock-label.ts'
import type { NodeJobDetails } from '../../src/server/schemas/node-curve.ts'
import { useAsked } from '../asked.ts'
import { halfMinutes } from '../every.ts'
import { momentSeconds } from '../moment.ts'
import { ClockCharts } from '../parts/clock-charts.tsx'
import { Drawn } from '../parts/drawn.tsx'
import { Meter } from '../parts/meter.tsx'
import { ProblemPage } from '../parts/problem.tsx'
import { Section } from '../parts/section.tsx'
import { coresWords } from '../parts/cores-words.ts'
import { Status } from '../parts/status.tsx'
import { Title } from '../parts/title.tsx'

type SeenJob = NodeJobDetails['job']

/** A job that the agent of a node saw, whoever started it. */
export default function NodeJob({ id }: { readonly id: string }) {
  const { value, error } = useAsked<NodeJobDetails>(
    `/node-jobs/${encodeURIComponent(id)}`,
    halfMinutes.value,
  ).value
  if (value === undefined)
    return error === undefined ? (
      <p class="loading">Reading…</p>
    ) : (
      <ProblemPage error={error} all={['/nodes', 'All nodes']} />
    )
  const { job, chart } = value
  return (
    <div class="node-page">
      <div class="page-head">
        <Title name={job.job_name ?? job.command} />
        {job.state !== null && <Status status={job.state} />}
      </div>
      <Facts job={job} />
      <Use job={job} />
      <Section
        id="series"
        title="Over time"
        note={
          value.known_by === 'rounds'
            ? undefined
            : `Single looks are no longer kept: these are means of ${value.known_by}.`
        }
      >
        {chart.charts.length === 0 ? (
          <p class="quiet">Nothing of its course is kept any more.</p>
        ) : (
          <ClockCharts data={chart} />
        )}
      </Section>
      <NextTime parts={value.next_request} />
    </div>
  )
}

function Facts({ job }: { readonly job: SeenJob }) {
  const moment = (at: string | null): string => orDash(momentSeconds(at), clockWords)
  const facts = [
    ['User', job.user],
    ['Account', job.account],
    ['Job', job.shown_id ?? job.job],
    ['Command', job.job_name === null ? null : job.command],
    ['Began', moment(job.started_at ?? job.first_seen)],
    ['Last seen', moment(job.last_seen)],
    ['Ran for', orDash(job.runtime_seconds, briefSeconds)],
    ['CPU time', job.cpu_seconds === null ? null : `${coreHours(job.cpu_seconds)} core-hours`],
    ['Restarts', job.restarts ? String(job.restarts) : null],
  ] as const
  return (
    <dl class="facts">
      <div>
        <dt>Node</dt>
        <dd>
          <a href={`/nodes/${encodeURIComponent(job.host)}`}>{job.host}</a>
        </dd>
      </div>
      {facts.map(
        ([name, fact]) =>
          fact !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{fact}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** What it used against what it asked for; where it asked for nothing, against its node. */
function Use({ job }: { readonly job: SeenJob }) {
  const { request } = job
  const [cpus, memory] = [
    request?.cpus ?? job.node_cores,
    request?.memory_bytes ?? job.node_memory_bytes,
  ]
  const word = (asked: number | null | undefined): string => (asked ? ' asked' : ' of the node')
  const gpus = request?.gpus || job.gpus
  const busy =
    job.gpu_seconds === null || !job.seen_seconds ? null : job.gpu_seconds / job.seen_seconds
  return (
    <div class="node-now">
      <div class="card">
        <Meter
          label="Cores, mean"
          used={job.cpu_mean_cores}
          of={cpus}
          words={coresWords}
          ofWords={cpus === null ? undefined : `of ${coresWords(cpus)}${word(request?.cpus)}`}
        />
      </div>
      <div class="card">
        <Meter
          label="Memory, peak"
          tone="memory"
          used={job.memory_peak_bytes}
          of={memory}
          words={briefBytes}
          ofWords={
            memory === null ? undefined : `of ${briefBytes(memory)}${word(request?.memory_bytes)}`
          }
        />
      </div>
      {gpus !== null && gpus > 0 && (
        <div class="card">
          <Meter
            label="GPUs busy, mean"
            tone="gpu"
            used={busy}
            of={gpus}
            words={coresWords}
            ofWords={`of ${gpus}${request?.gpus ? ' asked' : ' touched'}`}
          />
        </div>
      )}
      <div class="card node-io">
        <Meter label="Read" used={job.read_bytes} of={null} words={briefBytes} />
        <Meter label="Written" used={job.write_bytes} of={null} words={briefBytes} />
      </div>
    </div>
  )
}

type Part = NodeJobDetails['next_request'][number]

const names = { cpus: 'Cores', memory: 'Memory', gpus: 'GPUs', runtime: 'Time' } as const
const write: Readonly<Record<Part['resource'], (value: number) => string>> = {
  cpus: coresWords,
  memory: briefBytes,
  gpus: coresWords,
  runtime: tableSeconds,
}
const verdicts: Readonly<Record<Part['verdict'], string>> = {
  right: 'right',
  'too-much': 'too much was asked for',
  'too-little': 'too little was asked for',
  'not-asked': 'nothing was asked for',
}

function NextTime({ parts }: { readonly parts: readonly Part[] }) {
  if (parts.length === 0) return null
  return (
    <Section
      id="next"
      title="What to ask for next time"
      note="If it did what it should: nobody told how it ended, and peaks between looks are not seen."
    >
      <Drawn
        of={parts}
        make={() => [
          rows(
            'What it used, and what to ask for',
            [
              ['Resource'],
              ['Used', 'figure'],
              ['Asked for', 'figure'],
              ['Ask for', 'figure'],
              ['Verdict'],
            ],
            parts.map(({ resource, used, asked, ask, verdict }) => [
              names[resource],
              write[resource](used),
              asked === null ? notMeasured : write[resource](asked),
              element('b', {}, write[resource](ask)),
              verdicts[verdict],
            ]),
          ),
        ]}
      />
    </Section>
  )
}
