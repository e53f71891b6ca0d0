import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dump, importFile, nowSeconds, storedUse } from './import-made.ts'
import { madeSamples, randomOf, sampleCsv, sampleJson, type MadeNodes } from './made-samples.ts'
import { plainUse, type PlainProcess, type PlainSample } from './oracle.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const given = Number(process.env['JOBMETER_TEST_SEED'] ?? 0)
const seeds = [1, 2].map((seed) => seed + given)
const hostile = [
  'ada',
  "bob'); DROP TABLE job; --",
  'carl\u001b[2J\u0007',
  '=cmd|calc',
  'ünï\u202ecode',
  '"quoted"',
]
const nodes = (seed: number): MadeNodes => ({
  hosts: 3,
  users: hostile,
  commands: ['python3', 'sh; rm -rf /', 'x'.repeat(300), '\u0000nul', '../../etc', 'a b'],
  startSeconds: nowSeconds - 20 * 86_400,
  intervalSeconds: 300,
  samples: 40,
  jobs: 4,
  seed,
})

/** Damage of one kind to a line. */
type Damage = (line: string, random: () => number) => string | readonly string[]

const damages: readonly Damage[] = [
  // A bit is flipped.
  (line, random) => {
    const bytes = Buffer.from(line)
    const at = Math.floor(random() * bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    return bytes.toString('latin1')
  },
  (line, random) => line.slice(0, Math.floor(random() * line.length)),
  (line, random) => line.slice(Math.floor(random() * line.length)),
  (line) => line.replace(/(cpu_time"?[:=]|cputime_sec=|TotalCPU)\d*/, '$1-5'),
  (line) => line.replace(/(cpu_time"?[:=]|cputime_sec=)\d+/, '$11e300'),
  (line) => line.replace(/(cpu_time"?[:=]|cputime_sec=)\d+/, '$1999999999'),
  (line) => line.replace(/(cpu_time"?[:=]|cputime_sec=)\d+/, '$10'),
  (line) => `${line.slice(0, 20)}\0${line.slice(20)}`,
  (line) => line.replace(/[,|]/, ';'),
  // Columns are swapped.
  (line) => line.replace(/^([^,|]*)([,|])([^,|]*)/, '$3$2$1'),
  (line) => line.replace(/20\d\d-/, '9999-'),
  (line) => line.replace(/20\d\d-/, '1969-'),
  (line) => line.replace(/"pid":\d+/, '"pid":"x"').replace(/pid=\d+/, 'pid=-1'),
  (line) => [line, line],
  (line) => ['{"meta":{},"data":{"type":"sample","attributes":{"jobs":[', line],
  () => `${'['.repeat(5000)}${']'.repeat(5000)}`,
  () => `{"meta":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}}`,
  () => '{"meta":{},"errors":[{"time":"2026-01-01T00:00:00Z","detail":"broken"}]}',
  () => '{"meta":{},"data":{"type":"sample","attributes":null}}',
  () => 'v=1,time=x',
  () => '|'.repeat(30),
]

/** A file of which every tenth line or so is damaged, and a few come at another time. */
function damaged(lines: readonly string[], random: () => number): Buffer {
  const out = lines.flatMap((line) => {
    if (random() > 0.1) return [line]
    const damage = damages[Math.floor(random() * damages.length)]
    return damage?.(line, random) ?? [line]
  })
  for (let swaps = 0; swaps < 10; swaps++) {
    const [one, other] = [0, 0].map(() => Math.floor(random() * out.length)) as [number, number]
    ;[out[one], out[other]] = [out[other] ?? '', out[one] ?? '']
  }
  // As one byte a character, what was damaged is no UTF-8 any more; the rest still is.
  return Buffer.concat(
    out.map((line) =>
      Buffer.from(`${line}\n`, /[\u0080-\u00ff]/.test(line) && random() < 0.5 ? 'latin1' : 'utf8'),
    ),
  )
}

interface JsonSample {
  data: {
    attributes: {
      time: string
      node: string
      system?: { cpus?: number[] }
      jobs?: {
        job?: number
        epoch?: number
        user: string
        processes?: { pid?: number; ppid?: number; cmd?: string; cpu_time?: number }[]
      }[]
    }
  }
}

/** Reads accepted records again, with nothing of the program's. */
const plainJson = (text: string): PlainSample | undefined => {
  const parsed = JSON.parse(text) as Partial<JsonSample>
  if (parsed.data === undefined) return undefined
  const { time, node, system, jobs } = parsed.data.attributes
  return {
    host: node,
    at: Date.parse(time) / 1e3,
    cores: system?.cpus ?? [],
    processes: (jobs ?? []).flatMap(({ job = 0, epoch = 0, user, processes }) =>
      (processes ?? []).map(({ pid = 0, ppid = 0, cmd = '', cpu_time: cpu = 0 }) => ({
        user,
        job,
        epoch,
        pid,
        ppid,
        cmd,
        cpu,
      })),
    ),
  }
}

/** The record that stands on a line; nobody writes one on several. */
const textAt = (content: Buffer): ((line: number) => string) => {
  const lines = content.toString('utf8').split('\n')
  return (line) => lines[line - 1] ?? ''
}

describe('a fuzzed file of Sonar, in JSON', () => {
  it.each(seeds)('adds up to what its accepted records say (%i)', async (seed) => {
    const random = randomOf(seed)
    const made = nodes(seed)
    const lines = [0, 1, 2].flatMap((host) => [...madeSamples(made, host)].map(sampleJson))
    const content = damaged(lines, random)
    const db = join(folder, 'node.db')
    const summary = await importFile('sonar', content, db)
    expect(summary.refused).toBeGreaterThan(3)
    expect(summary.added).toBeGreaterThan(30)
    expect(summary.added + summary.known + summary.unused + summary.refused).toBe(summary.records)
    const text = textAt(content)
    const samples = [...summary.lines]
      .toSorted((one, other) => one - other)
      .map((line) => plainJson(text(line)))
      .filter((sample) => sample !== undefined)
    expect(samples.length + summary.unused).toBe(summary.records - summary.refused)
    const expected = plainUse(samples)
    for (const [table, found] of Object.entries(storedUse(db)))
      expect(rounded(found), table).toEqual(rounded(expected))
    const before = dump(db)
    const again = await importFile('sonar', content, db)
    expect(again).toMatchObject({ added: 0, refused: summary.refused, records: summary.records })
    expect(dump(db)).toEqual(before)
  })
})

const rounded = (use: ReadonlyMap<string, number>): Record<string, number> => {
  const found: Record<string, number> = {}
  for (const [user, seconds] of use)
    if (Math.abs(seconds) > 1e-9) found[user.toWellFormed()] = Math.round(seconds * 1e6)
  return found
}

/** Cells of a line of `name=value`. */
function plainCells(line: string): Map<string, string> {
  const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)]
  return new Map(
    cells.map(([, quoted, plain]) => {
      const cell = quoted?.replaceAll('""', '"') ?? plain ?? ''
      return [cell.slice(0, cell.indexOf('=')), cell.slice(cell.indexOf('=') + 1)]
    }),
  )
}

/** Lines of the same host and time that follow one another, those of other hosts aside; each line once. */
function plainCsv(lines: readonly string[]): PlainSample[] {
  const samples: PlainSample[] = []
  const open = new Map<string, { at: number; sample: PlainSample; lines: Set<string> }>()
  const close = (host: string): void => {
    const group = open.get(host)
    if (group !== undefined) samples.push(group.sample)
    open.delete(host)
  }
  for (const line of lines) {
    const cells = plainCells(line)
    const [host, at] = [cells.get('host') ?? '', Date.parse(cells.get('time') ?? '') / 1e3]
    if (open.get(host)?.at !== at) close(host)
    const sample = { host, at, cores: [], processes: [] as PlainProcess[] }
    const group = open.get(host) ?? { at, sample, lines: new Set<string>() }
    open.set(host, group)
    if (group.lines.has(line)) continue
    group.lines.add(line)
    const number = (name: string): number => Number(cells.get(name) || 0)
    const [job, pid] = [number('job'), number('pid')]
    ;(group.sample.processes as PlainProcess[]).push({
      user: cells.get('user') ?? '',
      job: job === 0 ? -pid : job,
      epoch: 0,
      pid,
      ppid: number('ppid'),
      cmd: cells.get('cmd') ?? '',
      cpu: number('cputime_sec'),
    })
  }
  for (const { sample } of open.values()) samples.push(sample)
  return samples
}

describe('a fuzzed file of Sonar, in CSV', () => {
  it.each(seeds)('adds up to what its accepted records say (%i)', async (seed) => {
    const random = randomOf(seed)
    const made = { ...nodes(seed), users: hostile.filter((user) => !/\n/.test(user)) }
    const lines = [0, 1, 2].flatMap((host) => [...madeSamples(made, host)].flatMap(sampleCsv))
    const content = damaged(lines, random)
    const db = join(folder, 'node.db')
    const summary = await importFile('sonar', content, db)
    expect(summary.refused).toBeGreaterThan(3)
    expect(summary.added).toBeGreaterThan(50)
    const accepted = [...summary.lines].toSorted((one, other) => one - other)
    expect(accepted.length).toBe(summary.records - summary.refused)
    const expected = plainUse(plainCsv(accepted.map(textAt(content))))
    for (const [table, found] of Object.entries(storedUse(db)))
      expect(rounded(found), table).toEqual(rounded(expected))
    const before = dump(db)
    expect(await importFile('sonar', content, db)).toMatchObject({ added: 0 })
    expect(dump(db)).toEqual(before)
  })
})

const sacctColumns = 'JobIDRaw|User|Account|JobName|Start|End|TotalCPU|MaxRSS|NodeList'
const two = (part: number): string => String(Math.floor(part)).padStart(2, '0')

function sacctLines(seed: number): string[] {
  const random = randomOf(seed)
  return Array.from({ length: 300 }, (_, at) => {
    const start = new Date((nowSeconds - (30 - 20 * random()) * 86_400) * 1e3)
    const end = new Date(start.getTime() + random() * 1e8)
    const time = (date: Date): string => date.toISOString().slice(0, 19)
    const cpu = `${Math.floor(random() * 3)}-${two(random() * 24)}:${two(random() * 60)}:${two(random() * 60)}.${two(random() * 99)}0`
    const user = (hostile[at % hostile.length] ?? '').replaceAll('|', '')
    return [
      `${1000 + at}`,
      user,
      'acc',
      'job',
      `${time(start)}Z`,
      `${time(end)}Z`,
      cpu,
      '',
      'n[1-3]',
    ].join('|')
  })
}

describe('a fuzzed file of sacct', () => {
  it.each(seeds)('adds up to what its accepted records say (%i)', async (seed) => {
    const random = randomOf(seed)
    const content = Buffer.concat([
      Buffer.from(`${sacctColumns}\n`),
      damaged(sacctLines(seed), random),
    ])
    const db = join(folder, 'node.db')
    const summary = await importFile('sacct', content, db)
    expect(summary.refused).toBeGreaterThan(3)
    expect(summary.added).toBeGreaterThan(100)
    const text = textAt(content)
    const jobs = new Map<string, { user: string; seconds: number }>()
    for (const line of [...summary.lines].toSorted((one, other) => one - other)) {
      const cells = text(line).split('|')
      const [id = '', user = '', , , start = '', end = '', cpu = ''] = cells
      if (line === 1 || id.includes('.')) continue
      const [, days = 0, hours = 0, minutes = 0, seconds = 0] = (
        /^(?:(\d+)-)?(?:(\d+):)?(\d+):([\d.]+)$/.exec(cpu) ?? []
      ).map((part: string | undefined) => Number(part ?? 0))
      const [began, ended] = [Date.parse(start), Date.parse(end)]
      const isSane =
        began <= ended && ended - began <= 730 * 864e5 && ended <= (nowSeconds + 86_400) * 1e3
      if (!isSane) continue
      const all = seconds + 60 * (minutes + 60 * (hours + 24 * days))
      jobs.set(`${id} ${began}`, { user: user.trim() === '' ? 'unknown' : user, seconds: all })
    }
    const expected = new Map<string, number>()
    for (const { user, seconds } of jobs.values())
      expected.set(user, (expected.get(user) ?? 0) + seconds)
    for (const [table, found] of Object.entries(storedUse(db)))
      expect(rounded(found), table).toEqual(rounded(expected))
    const before = dump(db)
    expect(await importFile('sacct', content, db)).toMatchObject({ added: 0 })
    expect(dump(db)).toEqual(before)
  })
})

describe('what no file should have', () => {
  it.each(['sonar', 'sacct'] as const)('is refused by the import of %s', async (kind) => {
    const db = join(folder, 'node.db')
    const junk = Buffer.alloc(10_000_000, 'x')
    const open = Buffer.alloc(10_000_000, '{"a":[')
    const nul = Buffer.alloc(1_000_000)
    const newline = Buffer.from('\n')
    for (const start of [
      junk,
      open,
      nul,
      Buffer.from('{"meta":"'),
      Buffer.from('\ufeffA\n', 'utf16le'),
    ]) {
      const content = Buffer.concat([start, newline, junk, newline, nul, newline, open])
      const summary = await importFile(kind, content, db)
      expect(summary.added + summary.known).toBe(0)
      expect(summary.refused).toBe(summary.records)
    }
  })
})
