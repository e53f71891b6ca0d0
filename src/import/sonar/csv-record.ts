import { BadRecord, invalidField, quoted } from '../bad-record.ts'
import { mostMemoryKib, mostSeconds, timeIn } from '../fields.ts'
import { csvFields, namedCells } from './csv-fields.ts'
import { coreSecondsOf } from './load-digits.ts'
import type { SonarJob, SonarProcess, SonarSample } from './sample.ts'

/** One line of the CSV format: a process, and of the node what the line tells besides. */
export interface CsvRecord {
  readonly host: string
  readonly at: number
  readonly job: Omit<SonarJob, 'processes'>
  readonly process: SonarProcess
  readonly node: Pick<
    SonarSample,
    'coreSeconds' | 'gpuShare' | 'gpuMemoryKib' | 'gpuWatts' | 'capacity'
  >
}

type Cells = ReadonlyMap<string, string>
const most = Number.MAX_SAFE_INTEGER
const mostCount = 65_536

/** Whether job ids are those of Slurm: the format does not say. */
export function csvRecordOf(line: string, idsAreSlurms: boolean): CsvRecord {
  const cells = csvFields(line)
  return {
    host: text(cells, 'host'),
    at: time(cells),
    job: jobOf(cells, idsAreSlurms),
    process: processOf(cells),
    node: nodeOf(cells),
  }
}

function jobOf(cells: Cells, idsAreSlurms: boolean): CsvRecord['job'] {
  const [id, pid, user] = [
    whole(cells, 'job', most),
    whole(cells, 'pid', most),
    text(cells, 'user'),
  ]
  if (id > 0)
    return idsAreSlurms
      ? { kind: 'slurm', id: String(id), epoch: '0', user }
      : { kind: 'session', id: String(id), epoch: null, user }
  if (pid > 0) return { kind: 'session', id: `pid ${pid}`, epoch: null, user }
  return { kind: 'rolled-up', id: `${user}/${text(cells, 'cmd')}`, epoch: '0', user }
}

function processOf(cells: Cells): SonarProcess {
  const command = text(cells, 'cmd')
  // Versions up to 0.6 have no counters, and no names either.
  const isNamed = cells.has('v')
  const cards = cardsOf(cells.get('gpus') ?? 'none', isNamed)
  const usesGpus = cards !== 'none'
  return {
    pid: whole(cells, 'pid', most),
    parentPid: whole(cells, 'ppid', most),
    command,
    cpuSeconds: isNamed ? whole(cells, 'cputime_sec', mostSeconds) : null,
    readKib: null,
    writtenKib: null,
    // "0 meaning no data available", says the format.
    memoryKib: whole(cells, 'rssanonkib', mostMemoryKib) || null,
    gpuShare: usesGpus ? number(cells, 'gpu%', 1e6) / 100 : null,
    gpuMemoryKib: usesGpus ? whole(cells, 'gpukib', mostMemoryKib) : null,
    cards: Array.isArray(cards) ? cards : [],
    processes: 1 + whole(cells, 'rolledup', mostCount),
    threads: null,
    isZombie: command.endsWith('<defunct>') || text(cells, 'user').startsWith('_zombie_'),
  }
}

/** A list such as `0,3`; in versions up to 0.6 a bit for each card. */
function cardsOf(told: string, isNamed: boolean): readonly string[] | 'none' | 'unknown' {
  if (told === 'none' || told === 'unknown') return told
  if (isNamed && /^\d{1,5}(?:,\d{1,5}){0,255}$/.test(told)) return told.split(',')
  if (!isNamed && /^[01]{1,64}$/.test(told)) {
    const bits = told.split('').toReversed()
    const cards = bits.flatMap((bit, index) => (bit === '1' ? [String(index)] : []))
    if (cards.length === 0) return 'none'
    return cards.length === 32 ? 'unknown' : cards
  }
  throw new BadRecord(invalidField, `gpus: expected cards, none or unknown, found ${brief(told)}`)
}

function nodeOf(cells: Cells): CsvRecord['node'] {
  const load = cells.get('load')
  const coreSeconds = load === undefined || load === '' ? null : coreSecondsOf(load)
  if (coreSeconds === undefined)
    throw new BadRecord(invalidField, `load: expected seconds in base 45, found ${brief(load)}`)
  const cores = whole(cells, 'cores', mostCount) || (coreSeconds?.length ?? null)
  const memoryKib = whole(cells, 'memtotalkib', mostMemoryKib) || null
  const cards = cardFigures(cells.get('gpuinfo') ?? '')
  const share = cards.sum('cutil%')
  return {
    coreSeconds: coreSeconds?.length ? coreSeconds : null,
    gpuShare: share === null ? null : share / 100,
    gpuMemoryKib: cards.sum('musekib'),
    gpuWatts: cards.has('poww') ? cards.sum('poww') : null,
    capacity: { cores, memoryKib, gpus: cards.count, gpuMemoryKib: null },
  }
}

/** `fan%=27|28,poww=4|1`: a value for each card, empty where it is 0. */
function cardFigures(told: string) {
  const named = told === '' ? new Map<string, string>() : namedCells(told.split(','))
  const lists = new Map([...named].map(([name, values]) => [name, values.split('|')]))
  const count = Math.max(0, ...[...lists.values()].map((values) => values.length))
  return {
    count: told === '' ? null : count,
    has: (name: string): boolean => lists.has(name),
    sum: (name: string): number | null => {
      if (count === 0) return null
      const values = lists.get(name) ?? []
      return values.reduce((sum, value) => sum + numberOf(name, value || '0', mostMemoryKib), 0)
    },
  }
}

const brief = (told: string | undefined): string => quoted(told ?? '')

function text(cells: Cells, name: string): string {
  const value = cells.get(name)
  if (value !== undefined && value !== '' && value.length <= 4096) return value
  throw new BadRecord(invalidField, `${name}: expected a text, found ${brief(value)}`)
}

function numberOf(name: string, told: string, limit: number): number {
  const value = /^\d+(?:\.\d+)?(?:e[-+]?\d{1,3})?$/i.test(told) ? Number(told) : Number.NaN
  if (value <= limit) return value
  throw new BadRecord(invalidField, `${name}: expected a number from 0, found ${brief(told)}`)
}

const number = (cells: Cells, name: string, limit: number): number =>
  numberOf(name, cells.get(name) || '0', limit)

function whole(cells: Cells, name: string, limit: number): number {
  const value = number(cells, name, limit)
  if (Number.isInteger(value)) return value
  throw new BadRecord(
    invalidField,
    `${name}: expected a whole number, found ${brief(cells.get(name))}`,
  )
}

const time = (cells: Cells): number =>
  timeIn({ time: text(cells, 'time') }, 'time', '') ?? Number.NaN
