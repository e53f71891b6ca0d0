import { briefBytes } from '../../../src/render/units/brief-figures.ts'
import { tableCores } from '../../../src/render/units/figures.ts'
import type { NodeState } from '../../../src/server/schemas/node.ts'
import { coresWords } from '../../parts/cores-words.ts'
import { Meter } from '../../parts/meter.tsx'

/** How the node is at its last look, and each of its cores. */
export function NodeNow({
  state,
  isSilent,
}: {
  readonly state: NodeState
  readonly isSilent: boolean
}) {
  const { latest, cores, memory_total_bytes: memory } = state
  const cards = state.devices.filter(({ kind, is_there: isThere }) => kind === 'gpu' && isThere)
  const busy = cards.reduce((sum, { latest: card }) => sum + (card.busy_share ?? 0), 0)
  return (
    <div class={isSilent ? 'node-now past' : 'node-now'}>
      <div class="card">
        <Meter
          label="CPU"
          // Ticks come late: a little more than there is.
          used={latest.busy_cores === null ? null : Math.min(latest.busy_cores, cores ?? Infinity)}
          of={cores}
          words={coresWords}
          ofWords={cores === null ? undefined : `of ${tableCores(cores)}`}
        />
      </div>
      <div class="card">
        <Meter
          label="Memory"
          tone="memory"
          used={latest.memory_bytes}
          of={memory}
          words={briefBytes}
          ofWords={memory === null ? undefined : `of ${briefBytes(memory)}`}
        />
      </div>
      {cards.length > 0 && (
        <div class="card">
          <Meter
            label="GPUs busy"
            tone="gpu"
            used={busy}
            of={cards.length}
            words={coresWords}
            ofWords={`of ${cards.length}`}
          />
        </div>
      )}
      <div class="card">
        <Meter
          label="Load"
          used={latest.load}
          of={cores}
          words={(load) => load.toFixed(1)}
          ofWords={cores === null ? undefined : `on ${tableCores(cores)}`}
        />
      </div>
      {state.core_shares.length > 0 && <Cores shares={state.core_shares} />}
    </div>
  )
}

const height = 34

/** A bar for each core: how busy it is, and over it the most that it was. */
function Cores({ shares }: { readonly shares: NodeState['core_shares'] }) {
  const step = 100 / shares.length
  const busy = shares.filter(({ latest }) => latest > 0.5).length
  return (
    <figure class="card cores">
      <figcaption>
        <span class="quiet">Cores</span>{' '}
        <span>
          <strong>{busy}</strong> <small>of {shares.length} more than half busy</small>
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 100 ${height}`}
        preserveAspectRatio="none"
        style={{ maxWidth: `${2 * shares.length}rem` }}
        role="img"
        aria-label={`How busy each of ${shares.length} cores is: ${busy} more than half`}
      >
        {shares.map(({ latest, peak }, core) => (
          <g key={core}>
            <rect
              class="core-peak"
              x={core * step}
              width={step * 0.8}
              y={height * (1 - peak)}
              height={height * peak}
            />
            <rect
              class="core-now"
              x={core * step}
              width={step * 0.8}
              y={height * (1 - latest)}
              height={height * latest}
            />
          </g>
        ))}
      </svg>
    </figure>
  )
}
