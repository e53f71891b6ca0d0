import type { DeviceFigures, DeviceState, NodeFigures, NodeState } from '../../model/node-state.ts'
import { count } from '../../model/count.ts'
import { printable } from '../text/printable.ts'
import { tableLines, type Column } from '../text/table.ts'
import { exactShare, fixedKeeping, formatBytes, orDash } from '../units/figures.ts'
import { utcTime } from '../units/iso-time.ts'
import { shortTime, type Zone } from '../units/zoned-time.ts'

const columns = (what: string): readonly Column[] => [
  { header: what, align: 'left' },
  { header: 'last round', align: 'right' },
  { header: 'peak', align: 'right' },
]

/** How nodes were at their last round, with the most that any round had in the time asked for. */
export function statesText(
  states: readonly NodeState[],
  zone: Zone,
  { asked, known }: HostsAsked = { asked: [], known: [] },
): string {
  const unknown = asked
    .filter((name) => !known.includes(name))
    .map(
      (name) =>
        `No node "${printable(name)}" was ever seen. These were: ${known.toSorted().map(printable).join(', ')}.\n`,
    )
  const told = [...unknown, ...states.map((state) => stateText(state, zone))]
  return told.length === 0 ? 'No node was looked at.\n' : told.join('\n')
}

/** Nodes that were asked for by name, and those that were ever seen. */
interface HostsAsked {
  readonly asked: readonly string[]
  readonly known: readonly string[]
}

function stateText(state: NodeState, zone: Zone): string {
  const has = [
    state.cores === null ? '– cores' : count(state.cores, 'core'),
    orDash(state.memoryTotalBytes, formatBytes),
    ...(state.gpus ? [count(state.gpus, 'GPU')] : []),
  ].join(', ')
  const head = printable(`${state.host} (${has}), last round at ${shortTime(state.at, zone)}`)
  const rows = figureRows(state.latest, state.peak)
  const cores = state.coreShares.map(({ latest, peak }, at) => [
    `core ${at}`,
    exactShare(latest),
    exactShare(peak),
  ])
  const devices = state.devices.flatMap(deviceRows)
  return `${head}\n${[...tableLines(columns('Node'), [...rows, ...cores, ...devices])].join('\n')}\n`
}

function figureRows(latest: NodeFigures, peak: NodeFigures | null): string[][] {
  const number = (value: number): string => fixedKeeping(value, 2)
  const row = (
    what: string,
    of: (figures: NodeFigures) => number | null,
    format: (value: number) => string,
  ): string[] => [what, orDash(of(latest), format), peak === null ? '–' : orDash(of(peak), format)]
  return [
    row('busy cores', ({ busyCores }) => busyCores, number),
    row('load', ({ load }) => load, number),
    row('memory', ({ memoryBytes }) => memoryBytes, formatBytes),
    row('swap', ({ swapBytes }) => swapBytes, formatBytes),
    row('cores that wait for disks', ({ ioWaitCores }) => ioWaitCores, number),
    row('processes', ({ processes }) => processes, String),
    row('threads', ({ threads }) => threads, String),
    row('zombies', ({ zombies }) => zombies, String),
  ]
}

const words = {
  disk: { inBytesPerSecond: 'read', outBytesPerSecond: 'written' },
  interface: { inBytesPerSecond: 'received', outBytesPerSecond: 'sent' },
  gpu: { inBytesPerSecond: 'in', outBytesPerSecond: 'out' },
}
const perSecond = (bytes: number): string => `${formatBytes(bytes)}/s`

/** What a device does not tell has no line. */
function deviceRows({ kind, name, isThere, latest, peak }: DeviceState): string[][] {
  const row = (
    field: keyof DeviceFigures,
    word: string,
    format: (value: number) => string,
  ): string[][] => {
    const highest = peak === null ? null : peak[field]
    if (latest[field] === null && highest === null) return []
    const now = isThere ? orDash(latest[field], format) : '–'
    return [[printable(`${kind} ${name}: ${word}`), now, orDash(highest, format)]]
  }
  return [
    ...row('inBytesPerSecond', words[kind].inBytesPerSecond, perSecond),
    ...row('outBytesPerSecond', words[kind].outBytesPerSecond, perSecond),
    ...row('busyShare', 'busy', exactShare),
    ...row('memoryBytes', 'memory', formatBytes),
    ...row('watts', 'power', (watts) => `${fixedKeeping(watts, 1)} W`),
  ]
}

export const statesJson = (states: readonly NodeState[]): object[] =>
  states.map((state) => ({
    host: state.host,
    epoch: state.epoch,
    at: utcTime(state.at),
    seconds: state.seconds,
    cores: state.cores,
    memory_total_bytes: state.memoryTotalBytes,
    gpus: state.gpus,
    gpu_memory_total_bytes: state.gpuMemoryTotalBytes,
    latest: figuresJson(state.latest),
    peak: state.peak === null ? null : figuresJson(state.peak),
    core_shares: state.coreShares,
    devices: state.devices.map(({ kind, name, isThere, latest, peak }) => ({
      kind,
      name,
      is_there: isThere,
      latest: deviceJson(latest),
      peak: peak === null ? null : deviceJson(peak),
    })),
  }))

const figuresJson = (figures: NodeFigures): object => ({
  busy_cores: figures.busyCores,
  load: figures.load,
  memory_bytes: figures.memoryBytes,
  swap_bytes: figures.swapBytes,
  io_wait_cores: figures.ioWaitCores,
  processes: figures.processes,
  threads: figures.threads,
  zombies: figures.zombies,
})

const deviceJson = (figures: DeviceFigures): object => ({
  in_bytes_per_second: figures.inBytesPerSecond,
  out_bytes_per_second: figures.outBytesPerSecond,
  busy_share: figures.busyShare,
  watts: figures.watts,
  memory_bytes: figures.memoryBytes,
})
