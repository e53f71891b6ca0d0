import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { RecordJson } from '../../../src/render/record/record-json.ts'
import { Choice } from '../../parts/choice.tsx'
import { Section } from '../../parts/section.tsx'
import { useLog, type LogStream } from './log-read.ts'

/** What the job wrote, and what it writes. */
export function Logs({
  path,
  record,
  isRunning,
  isKept,
}: {
  readonly path: string
  readonly record: RecordJson
  readonly isRunning: boolean
  /** Only what jobs of workflows write is kept; what a single command writes goes to its terminal. */
  readonly isKept: boolean
}) {
  return isKept ? (
    <KeptLog path={path} record={record} isRunning={isRunning} />
  ) : (
    <Section id="logs" title="What it wrote">
      <p class="quiet">
        It went to the terminal, and was not kept: only what jobs of workflows write is.
      </p>
    </Section>
  )
}

function KeptLog({
  path,
  record,
  isRunning,
}: {
  readonly path: string
  readonly record: RecordJson
  readonly isRunning: boolean
}) {
  const stream = useSignal<LogStream>(
    record.status === 'success' || isRunning ? 'stdout' : 'stderr',
  )
  const log = useLog(path, stream.value, isRunning)
  const box = useRef<HTMLPreElement>(null)
  const isAtEnd = useRef(true)
  const { text, why, isCut } = log.value ?? { text: undefined, why: null, isCut: false }
  useEffect(() => {
    const place = box.current
    if (place !== null && isAtEnd.current) place.scrollTop = place.scrollHeight
  }, [text])
  return (
    <Section
      id="logs"
      title="What it wrote"
      aside={
        why === null ? (
          <a
            href={`/api/v1${path}/logs/${stream.value}`}
            download={`${record.name}.${stream.value}`}
          >
            Download
          </a>
        ) : undefined
      }
    >
      {why === null ? (
        <>
          <div class="choices">
            <Choice
              legend="Stream"
              name="stream"
              options={[
                ['stdout', 'Output'],
                ['stderr', 'Errors'],
              ]}
              chosen={stream.value}
              take={(value) => (stream.value = value)}
            />
          </div>
          {isCut && <p class="quiet">Only the end is shown; the download has all of it.</p>}
          <pre
            ref={box}
            class="log"
            tabIndex={0}
            role="log"
            aria-label={stream.value === 'stdout' ? 'Output' : 'Errors'}
            onScroll={({ currentTarget: place }) => {
              isAtEnd.current = place.scrollHeight - place.scrollTop - place.clientHeight < 24
            }}
          >
            {text === undefined && <span class="loading">Reading…</span>}
            {text === '' ? <span class="quiet">Nothing{isRunning ? ' yet' : ''}.</span> : text}
          </pre>
        </>
      ) : (
        <p class="quiet">{why}</p>
      )}
    </Section>
  )
}
