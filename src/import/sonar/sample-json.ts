import {
  amountIn,
  listIn,
  mostKib,
  mostMemoryKib,
  mostSeconds,
  needed,
  objectAt,
  textIn,
  timeIn,
  wholeIn,
  type Fields,
} from '../fields.ts'
import type { SonarJob, SonarProcess, SonarSample } from './sample.ts'

const mostId = Number.MAX_SAFE_INTEGER
const mostPercent = 1e6
const mostCores = 65_536
const mostWatts = 1e6

/** The attributes of a `sample` of the JSON formats. A number that is left out is 0, for Sonar leaves out what is 0; null is unknown. */
export function sampleOf(attributes: Fields): SonarSample {
  const host = needed(textIn(attributes, 'node', ''), 'node')
  const at = needed(timeIn(attributes, 'time', ''), 'time')
  const told = listIn(attributes, 'jobs', '').map((job, index) => objectAt(job, `jobs[${index}]`))
  const tellsIo = told.some((job) =>
    listIn(job, 'processes', '').some((process) => hasAny(process, ['data_read', 'data_written'])),
  )
  const node = nodeOf(attributes['system'])
  const view = { tellsIo, tellsGpus: (node.capacity.gpus ?? 0) > 0 }
  return {
    host,
    at,
    ...node,
    jobs: told.map((job, index) => jobOf(job, `jobs[${index}].`, view)),
  }
}

const hasAny = (value: unknown, names: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && names.some((name) => name in value)

type NodeView = Omit<SonarSample, 'host' | 'at' | 'jobs'>

const unknownNode: NodeView = {
  bootedAt: null,
  coreSeconds: null,
  load: null,
  usedMemoryKib: null,
  gpuShare: null,
  gpuMemoryKib: null,
  gpuWatts: null,
  capacity: { cores: null, memoryKib: null, gpus: null, gpuMemoryKib: null },
}

function nodeOf(value: unknown): NodeView {
  if (value === undefined || value === null) return unknownNode
  const system = objectAt(value, 'system')
  const place = 'system.'
  const cores = listIn(system, 'cpus', place).map((_, index) =>
    needed(wholeAt(system, index), `${place}cpus[${index}]`),
  )
  if (cores.length > mostCores) needed(undefined, `${place}cpus of fewer than ${mostCores} cores`)
  const cards = listIn(system, 'gpus', place).map((card, index) =>
    objectAt(card, `${place}gpus[${index}]`),
  )
  const sum = (name: string, most: number): number | null => {
    if (cards.length === 0 || cards.some((card) => card[name] === null)) return null
    return cards.reduce(
      (total, card, index) => total + (wholeIn(card, name, `${place}gpus[${index}].`, most) ?? 0),
      0,
    )
  }
  const share = sum('ce_util', mostPercent)
  const tellsPower = cards.some((card) => 'power' in card)
  return {
    bootedAt: timeIn(system, 'boot', place) ?? null,
    coreSeconds: cores.length === 0 ? null : cores,
    load: amountIn(system, 'load1', place, mostPercent) ?? null,
    usedMemoryKib: wholeIn(system, 'used_memory', place, mostMemoryKib) ?? null,
    gpuShare: share === null ? null : share / 100,
    gpuMemoryKib: sum('memory', mostMemoryKib),
    gpuWatts: tellsPower ? sum('power', mostWatts) : null,
    capacity: {
      cores: cores.length === 0 ? null : cores.length,
      memoryKib: null,
      gpus: cards.length,
      gpuMemoryKib: null,
    },
  }
}

/** Seconds of a core; one that was never used is 0. */
function wholeAt(system: Fields, index: number): number | undefined {
  const cores = system['cpus'] as readonly unknown[]
  return wholeIn({ core: cores[index] }, 'core', `system.cpus[${index}].`, mostSeconds)
}

interface View {
  readonly tellsIo: boolean
  readonly tellsGpus: boolean
}

function jobOf(job: Fields, place: string, view: View): SonarJob {
  const id = wholeIn(job, 'job', place, mostId) ?? 0
  const epoch = wholeIn(job, 'epoch', place, mostId) ?? 0
  const processes = listIn(job, 'processes', place).map((process, index) => {
    const at = `${place}processes[${index}]`
    return processOf(objectAt(process, at), `${at}.`, view)
  })
  return {
    ...identityOf(id, epoch, processes),
    user: needed(textIn(job, 'user', place), `${place}user`),
    processes,
  }
}

/** An epoch of 0 means a Slurm job. */
function identityOf(
  id: number,
  epoch: number,
  [first]: readonly SonarProcess[],
): Pick<SonarJob, 'kind' | 'id' | 'epoch'> {
  if (id > 0) return { kind: epoch === 0 ? 'slurm' : 'session', id: String(id), epoch: `${epoch}` }
  const isKnown = first !== undefined && first.pid > 0
  return {
    kind: isKnown ? 'session' : 'rolled-up',
    id: isKnown ? `pid ${first.pid}` : (first?.command ?? 'unknown'),
    epoch: `${epoch}`,
  }
}

function processOf(fields: Fields, place: string, { tellsIo, tellsGpus }: View): SonarProcess {
  const whole = (name: string, most: number): number | undefined =>
    wholeIn(fields, name, place, most)
  const command = textIn(fields, 'cmd', place) ?? 'unknown'
  const cards = listIn(fields, 'gpus', place).map((card, index) =>
    cardOf(objectAt(card, `${place}gpus[${index}]`), `${place}gpus[${index}].`),
  )
  const knowsGpus = tellsGpus || cards.length > 0
  const sumOf = (name: 'share' | 'memoryKib'): number | null =>
    knowsGpus ? cards.reduce<number | null>((sum, card) => plus(sum, card[name]), 0) : null
  const orZero = (name: string, most: number): number | null =>
    fields[name] === null ? null : (whole(name, most) ?? 0)
  const io = (name: string): number | null => (tellsIo ? orZero(name, mostKib) : null)
  const extra = whole('rolledup', mostCores) ?? 0
  const cpu = orZero('cpu_time', mostSeconds)
  const util = amountIn(fields, 'cpu_util', place, mostPercent) ?? 0
  return {
    pid: whole('pid', mostId) ?? 0,
    parentPid: whole('ppid', mostId) ?? 0,
    command,
    // Of containers only the present use is told: that a counter is not there does not make it 0.
    cpuSeconds: fields['in_container'] === true && util > 0 && !('cpu_time' in fields) ? null : cpu,
    readKib: io('data_read'),
    writtenKib: io('data_written'),
    memoryKib: orZero('resident_memory', mostMemoryKib),
    gpuShare: sumOf('share'),
    gpuMemoryKib: sumOf('memoryKib'),
    cards: cards.map(({ name }) => name),
    processes: 1 + extra,
    // The first thread of each process is not counted.
    threads: (whole('num_threads', mostKib) ?? 0) + 1 + extra,
    isZombie: command.endsWith('<defunct>'),
  }
}

const plus = (sum: number | null, value: number | null): number | null =>
  sum === null || value === null ? null : sum + value

function cardOf(
  fields: Fields,
  place: string,
): { readonly name: string; readonly share: number | null; readonly memoryKib: number | null } {
  return {
    name: textIn(fields, 'uuid', place) ?? `${wholeIn(fields, 'index', place, mostId) ?? 0}`,
    share:
      fields['gpu_util'] === null
        ? null
        : (amountIn(fields, 'gpu_util', place, mostPercent) ?? 0) / 100,
    memoryKib:
      fields['gpu_memory'] === null
        ? null
        : (wholeIn(fields, 'gpu_memory', place, mostMemoryKib) ?? 0),
  }
}
