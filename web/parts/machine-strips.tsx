import { briefBytes, briefPercent } from '../../src/render/units/brief-figures.ts'
import { notMeasured, tableCores } from '../../src/render/units/figures.ts'
import type { JobBrief } from '../../src/server/schemas/job.ts'
import { runningJobs } from '../live/running.ts'
import { latestSamples } from '../live/samples.ts'
import { machineSize } from '../machines.ts'
import { Spark } from './spark.tsx'

/** More machines than these have a page of their own. */
const mostHosts = 3

/** Each machine over the last minutes, as the samples of what runs there tell. */
export function MachineStrips() {
  const byHost = Map.groupBy(runningJobs.value ?? [], ({ host }) => host)
  const watched = [...byHost.values()].map(longestWatched).filter((job) => job !== undefined)
  if (watched.length === 0) return null
  return (
    <ul class="strips" aria-label="Machines">
      {watched.slice(0, mostHosts).map((job) => (
        <Machine key={job.host} job={job} />
      ))}
    </ul>
  )
}

const sampleCount = ({ task_id: id }: JobBrief): number => latestSamples(id).value.times.length

/** Samples of every job tell of the whole machine; those that go back furthest tell most. */
function longestWatched(jobs: readonly JobBrief[]): JobBrief | undefined {
  const [most] = [...jobs].sort((a, b) => sampleCount(b) - sampleCount(a))
  return most === undefined || sampleCount(most) === 0 ? undefined : most
}

function Machine({ job }: { readonly job: JobBrief }) {
  const latest = latestSamples(job.task_id).value
  const size = machineSize(job.host, job.task_id).value
  return (
    <>
      <Strip
        label={`${job.host} CPU`}
        figure={words(latest.machineCpuPercent.at(-1), (percent) =>
          size === null ? briefPercent(percent) : ((percent / 100) * size.cores).toFixed(1),
        )}
        of={size === null ? 'of the machine' : `of ${tableCores(size.cores)}`}
        times={latest.times}
        values={latest.machineCpuPercent}
        most={100}
        tone="cpu"
      />
      <Strip
        label={`${job.host} memory`}
        figure={words(latest.machineMemoryBytes.at(-1), briefBytes)}
        of={size?.memoryBytes ? `of ${briefBytes(size.memoryBytes)}` : ''}
        times={latest.times}
        values={latest.machineMemoryBytes}
        most={size?.memoryBytes ?? undefined}
        tone="memory"
      />
      {[...latest.cards.entries()].map(([id, card], index) => (
        <Strip
          key={id}
          label={`${job.host} GPU ${index}`}
          figure={words(card.utilizationPercent, briefPercent)}
          of={words(card.memoryUsedBytes, briefBytes)}
          times={latest.cardPercents.get(id)?.map((_, place) => place) ?? []}
          values={latest.cardPercents.get(id) ?? []}
          most={100}
          tone="gpu"
        />
      ))}
    </>
  )
}

const words = (value: number | null | undefined, write: (value: number) => string): string =>
  value === null || value === undefined ? notMeasured : write(value)

function Strip({
  label,
  figure,
  of,
  times,
  values,
  most,
  tone,
}: {
  readonly label: string
  readonly figure: string
  readonly of: string
  readonly times: readonly number[]
  readonly values: readonly (number | null)[]
  readonly most: number | undefined
  readonly tone: 'cpu' | 'memory' | 'gpu'
}) {
  return (
    <li class="strip card">
      <span class="quiet">{label}</span>
      <span>
        <strong>{figure}</strong> <small>{of}</small>
      </span>
      <Spark
        times={times}
        values={values}
        most={most}
        label={`${label} lately: ${figure}`}
        tone={tone}
      />
    </li>
  )
}
