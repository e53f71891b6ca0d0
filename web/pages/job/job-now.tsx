import type { RecordJson } from '../../../src/render/record/record-json.ts'
import { briefBytes, briefPercent, briefSeconds } from '../../../src/render/units/brief-figures.ts'
import { tableCores } from '../../../src/render/units/figures.ts'
import { now } from '../../clock.ts'
import { latestSamples } from '../../live/samples.ts'
import { momentSeconds } from '../../moment.ts'
import { Meter } from '../../parts/meter.tsx'

/** What a running job uses at the moment, against what it asked for, or else what its machine has. */
export function JobNow({ record }: { readonly record: RecordJson }) {
  const latest = latestSamples(record.task_id).value
  const { cpus, memory_bytes: memory, runtime_seconds: runtime } = record.requirements
  const cores = cpus ?? record.cores
  const bytes = memory ?? record.machine_memory_bytes
  const start = momentSeconds(record.start_time)
  return (
    <div class="now-tiles">
      <div class="card">
        <Meter
          label="CPU"
          used={latest.cpuPercent.at(-1) ?? null}
          of={100 * cores}
          words={briefPercent}
          ofWords={`of ${tableCores(cores)}${cpus === null ? '' : ' asked'}`}
        />
      </div>
      <div class="card">
        <Meter
          label="Memory"
          tone="memory"
          used={latest.memoryBytes.at(-1) ?? null}
          of={bytes}
          words={briefBytes}
          ofWords={
            bytes === null ? undefined : `of ${briefBytes(bytes)}${memory === null ? '' : ' asked'}`
          }
        />
      </div>
      {[...latest.cards.entries()].map(([id, card], index) => (
        <div class="card" key={id}>
          <Meter
            label={`GPU ${index}`}
            tone="gpu"
            used={card.utilizationPercent}
            of={100}
            words={briefPercent}
            ofWords={card.memoryUsedBytes === null ? undefined : briefBytes(card.memoryUsedBytes)}
          />
        </div>
      ))}
      {runtime !== null && start !== null && (
        <div class="card">
          <Meter
            label="Time"
            used={Math.max(0, Math.floor(now.value - start))}
            of={runtime}
            words={(seconds) => briefSeconds(seconds) || '0s'}
            ofWords={`of ${briefSeconds(runtime)} asked`}
          />
        </div>
      )}
    </div>
  )
}
