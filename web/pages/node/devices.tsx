import { shortened } from '../../../src/browser/report/table-parts.ts'
import { briefBytes, briefRate } from '../../../src/render/units/brief-figures.ts'
import { exactShare, notMeasured, orDash } from '../../../src/render/units/figures.ts'
import type { NodeState } from '../../../src/server/schemas/node.ts'
import { Drawn } from '../../parts/drawn.tsx'
import { Section } from '../../parts/section.tsx'

type Device = NodeState['devices'][number]
type Figures = Device['latest']

const kinds = { disk: 'Disk', interface: 'Network', gpu: 'GPU' } as const

const figures: readonly (readonly [
  name: keyof Figures,
  words: Readonly<Record<Device['kind'], string>>,
  write: (value: number) => string,
])[] = [
  ['busy_share', { disk: 'busy', interface: 'busy', gpu: 'busy' }, exactShare],
  ['memory_bytes', { disk: 'memory', interface: 'memory', gpu: 'memory' }, briefBytes],
  ['in_bytes_per_second', { disk: 'read', interface: 'received', gpu: 'in' }, briefRate],
  ['out_bytes_per_second', { disk: 'written', interface: 'sent', gpu: 'out' }, briefRate],
  [
    'watts',
    { disk: 'power', interface: 'power', gpu: 'power' },
    (watts) => `${watts.toFixed(0)} W`,
  ],
]

/** Disks, network and cards: at the last look, and the most in the time that is shown. */
export function Devices({ state }: { readonly state: NodeState }) {
  const lines = state.devices.flatMap(linesOf)
  if (lines.length === 0) return null
  return (
    <Section id="devices" title="Disks, network and GPUs">
      <Drawn
        of={state}
        make={() => [
          shortened(
            `Devices of ${state.host}`,
            [['Device'], ['Figure'], ['Now', 'figure'], ['Highest', 'figure']],
            lines,
          ),
        ]}
      />
    </Section>
  )
}

/** What a device does not tell has no line, nor has one that nobody used. */
function linesOf({ kind, name, is_there: isThere, latest, peak }: Device): string[][] {
  return figures.flatMap(([figure, words, write]) => {
    const [now, most] = [latest[figure], peak?.[figure] ?? null]
    if ((now ?? 0) === 0 && (most ?? 0) === 0) return []
    return [
      [
        `${kinds[kind]} ${name}`,
        words[kind],
        isThere ? orDash(now, write) : notMeasured,
        orDash(most, write),
      ],
    ]
  })
}
