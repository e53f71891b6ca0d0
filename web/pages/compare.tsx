import '../style/compare.css'
import { element, type Child } from '../../src/browser/dom.ts'
import { shortened } from '../../src/browser/report/table-parts.ts'
import type { RecordJson } from '../../src/render/record/record-json.ts'
import { commandLine } from '../../src/render/text/printable.ts'
import { signedPercent } from '../../src/render/units/figures.ts'
import { shortTime } from '../../src/render/units/zoned-time.ts'
import { useAsked } from '../asked.ts'
import { momentSeconds } from '../moment.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Empty } from '../parts/empty.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { Section } from '../parts/section.tsx'
import { Status } from '../parts/status.tsx'
import { Title } from '../parts/title.tsx'
import { query } from '../route.ts'
import { comparedFigures, type ComparedFigure } from './compare/compared-figures.ts'
import { TwoCharts } from './compare/two-charts.tsx'

/** Two runs side by side: what each was, what it used, and how it went over time. */
export default function Compare() {
  const [left, right] = [query.value.get('left'), query.value.get('right')]
  const pathOf = (id: string | null): string | undefined =>
    id === null ? undefined : `/jobs/${encodeURIComponent(id)}`
  const [a, b] = [useAsked<RecordJson>(pathOf(left)), useAsked<RecordJson>(pathOf(right))]
  const error = a.value.error ?? b.value.error
  const [one, other] = [a.value.value, b.value.value]
  return (
    <>
      <div class="page-head">
        <Title name="Compare two runs" />
      </div>
      {(left === null || right === null) && (
        <Empty title="Two jobs are needed">
          Choose two in the <a href="/jobs">list of jobs</a>, or a past run on the page of a job.
        </Empty>
      )}
      {error !== undefined && <ProblemNote error={error} />}
      {one !== undefined && other !== undefined && (
        <>
          <div class="sides">
            <Side record={one} name="A" />
            <Side record={other} name="B" />
          </div>
          <TwoCharts left={one} right={other} />
          <Section id="figures" title="What they used" note="B against A.">
            <Drawn
              of={[one.task_id, other.task_id].join()}
              make={() => [figureTable(one, other)]}
            />
          </Section>
        </>
      )}
    </>
  )
}

function Side({ record, name }: { readonly record: RecordJson; readonly name: string }) {
  const start = momentSeconds(record.start_time)
  return (
    <div class="side card">
      <h2>
        <span class="side-name">{name}</span>{' '}
        <a class="plain" href={`/jobs/${record.task_id}`}>
          {record.name}
        </a>
      </h2>
      <p>
        <Status status={record.status} />{' '}
        <small>{start === null ? '' : shortTime(start, 'local')}</small>
      </p>
      <p class="quiet">{record.error ?? record.bound_by.sentence}</p>
      <code>{commandLine(record.command)}</code>
    </div>
  )
}

function figureTable(a: RecordJson, b: RecordJson): HTMLElement {
  return shortened(
    'What the two runs used',
    [['Figure'], ['A', 'figure'], ['B', 'figure'], ['Change', 'figure']],
    comparedFigures(a, b).map((figure) => [figure.label, figure.a, figure.b, changeCell(figure)]),
  )
}

/** More than a tenth is worth a look; whether it is better or worse, the reader knows. */
function changeCell({ changePercent }: ComparedFigure): Child {
  if (changePercent === null) return '–'
  if (Math.abs(changePercent) < 0.1) return 'the same'
  const text = signedPercent(changePercent)
  return Math.abs(changePercent) > 10 ? element('b', {}, text) : text
}
