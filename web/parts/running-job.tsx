import { useEffect } from 'preact/hooks'
import type { JobBrief } from '../../src/server/schemas/job.ts'
import { briefBytes, briefPercent } from '../../src/render/units/brief-figures.ts'
import { tableCores } from '../../src/render/units/figures.ts'
import { latestSamples, readLatest, type CardNow } from '../live/samples.ts'
import { machineSize } from '../machines.ts'
import { momentSeconds } from '../moment.ts'
import { Meter } from './meter.tsx'
import { Spark } from './spark.tsx'
import { Elapsed } from './time.tsx'

/** A job that has just begun has nothing to be read yet; what it does is told. */
const leastSeconds = 4

/** A job that runs: what it uses now against what it asked for, or against its machine. */
export function RunningJob({ job }: { readonly job: JobBrief }) {
  const latest = latestSamples(job.task_id).value
  const machine = machineSize(job.host, job.task_id).value
  const { cpus, memory_bytes: memory } = job.requirements
  const cores = cpus ?? machine?.cores ?? null
  const bytes = memory ?? machine?.memoryBytes ?? null
  const startedAt = momentSeconds(job.start_time)
  useEffect(() => {
    const elapsed = startedAt === null ? 0 : Date.now() / 1000 - startedAt
    if (elapsed > leastSeconds && latest.times.length === 0) void readLatest(job.task_id, elapsed)
  }, [job.task_id])
  return (
    <li class="running-job">
      <div class="running-name">
        <a class="stretched" data-row href={`/jobs/${job.task_id}`}>
          {job.name}
        </a>
        <small>
          {job.user} on {job.host}
        </small>
      </div>
      <Meter
        label="CPU"
        used={latest.cpuPercent.at(-1) ?? null}
        of={cores === null ? null : 100 * cores}
        words={briefPercent}
        ofWords={cores === null ? undefined : `of ${tableCores(cores)}${asked(cpus)}`}
      />
      <Meter
        label="Memory"
        tone="memory"
        used={latest.memoryBytes.at(-1) ?? null}
        of={bytes}
        words={briefBytes}
        ofWords={bytes === null ? undefined : `of ${briefBytes(bytes)}${asked(memory)}`}
      />
      <Cards cards={latest.cards} />
      <div class="running-spark">
        <Spark
          times={latest.times}
          values={latest.cpuPercent}
          label={`CPU of ${job.name} lately`}
        />
      </div>
      <div class="running-time">{startedAt !== null && <Elapsed since={startedAt} />}</div>
    </li>
  )
}

/** Whether the bar is drawn against the request; else it is against the machine. */
const asked = (request: number | null): string => (request === null ? '' : ' asked')

function Cards({ cards }: { readonly cards: ReadonlyMap<string, CardNow> }) {
  if (cards.size === 0) return null
  const busy = [...cards.values()].map((card) => card.utilizationPercent ?? 0)
  const sum = busy.reduce((total, percent) => total + percent, 0)
  return (
    <Meter
      label={cards.size === 1 ? 'GPU' : `${cards.size} GPUs`}
      tone="gpu"
      used={sum / cards.size}
      of={100}
      words={briefPercent}
    />
  )
}
