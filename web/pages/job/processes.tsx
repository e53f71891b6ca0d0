import { rows } from '../../../src/browser/report/table-parts.ts'
import type { RecordJson } from '../../../src/render/record/record-json.ts'
import { formatBytes, formatCount, formatSeconds } from '../../../src/render/units/figures.ts'
import type { JobParts } from '../../../src/server/schemas/job-report.ts'
import { useAsked } from '../../asked.ts'
import { Drawn } from '../../parts/drawn.tsx'
import { Section } from '../../parts/section.tsx'

/** How many processes it was made of, which of them mattered, and what it left behind. */
export function Processes({
  path,
  record,
  again,
}: {
  readonly path: string
  readonly record: RecordJson
  readonly again: string
}) {
  const { value: parts } = useAsked<JobParts>(`${path}/parts`, again).value
  if (parts === undefined) return null
  const facts = processFacts(parts, record)
  if (facts.length === 0 && parts.threads.length === 0) return null
  return (
    <Section id="processes" title="Processes and threads">
      <dl class="facts">
        {facts.map(([name, fact]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
      {parts.threads.length > 0 ? (
        <Drawn of={parts} make={() => [threadTable(parts)]} />
      ) : (
        <p class="quiet">
          Which threads were busy is measured with <code>jobmeter run --threads</code>.
        </p>
      )}
      {parts.stragglers.length > 0 && (
        <>
          <h3>Outlived the job</h3>
          <Drawn of={parts} make={() => [stragglerTable(parts)]} />
        </>
      )}
    </Section>
  )
}

const threadTable = ({ threads }: JobParts): HTMLElement =>
  rows(
    'The busiest threads',
    [['Thread'], ['CPU time', 'figure'], ['Process', 'figure'], ['Number', 'figure']],
    threads.map(({ pid, tid, name, cpu_seconds: seconds }) => [
      name,
      formatSeconds(seconds),
      String(pid),
      String(tid),
    ]),
  )

const stragglerTable = ({ stragglers }: JobParts): HTMLElement =>
  rows(
    'Processes that outlived the job',
    [['Command'], ['Process', 'figure']],
    stragglers.map(({ pid, command }) => [command, String(pid)]),
  )

function processFacts(parts: JobParts, { usage }: RecordJson): [string, string][] {
  const facts: [string, number | null, (value: number) => string][] = [
    ['Processes, most at one time', parts.processes_peak, formatCount],
    ['Started in all', parts.processes_started, formatCount],
    ['Threads, most at one time', usage.threads_peak, formatCount],
    ['Largest process', parts.largest_process_peak_bytes, (bytes) => formatBytes(bytes)],
  ]
  return facts.flatMap(([name, value, words]) => (value === null ? [] : [[name, words(value)]]))
}
