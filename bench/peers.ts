import { readFileSync } from 'node:fs'
import { findOnPath } from './outside.ts'

/** What another tool says of a job, as far as it says it. */
export interface PeerFigures {
  readonly cpuSeconds: number
  readonly memoryBytes: number
}

/** Another tool that watches a command. Those on the path take part; nothing is installed for it. */
export interface Peer {
  readonly tool: string
  /** The command line that watches the job and leaves its notes at that path. */
  command(job: readonly string[], intervalSeconds: number, notes: string): string[]
  figures(notes: string): PeerFigures
}

const psrecord: Peer = {
  tool: 'psrecord',
  command: (job, interval, notes) => [
    'psrecord',
    job.join(' '),
    '--include-children',
    '--interval',
    String(interval),
    '--log',
    notes,
  ],
  // Columns: elapsed seconds, CPU percent, resident MB, virtual MB.
  figures(notes) {
    const lines = readFileSync(notes, 'utf8').split('\n').slice(1).filter(Boolean)
    const rows = lines.map((line) => line.trim().split(/\s+/).map(Number))
    let cpuSeconds = 0
    let memoryBytes = 0
    let before = 0
    for (const [elapsed = 0, percent = 0, residentMegabytes = 0] of rows) {
      cpuSeconds += (percent / 100) * (elapsed - before)
      memoryBytes = Math.max(memoryBytes, residentMegabytes * 2 ** 20)
      before = elapsed
    }
    return { cpuSeconds, memoryBytes }
  },
}

const duct: Peer = {
  tool: 'duct',
  command: (job, interval, notes) => [
    'duct',
    '--sample-interval',
    String(interval),
    '--report-interval',
    '60',
    '-p',
    notes,
    '--',
    ...job,
  ],
  figures(notes) {
    const { execution_summary: summary } = JSON.parse(
      readFileSync(`${notes}info.json`, 'utf8'),
    ) as {
      execution_summary: { average_pcpu: number; wall_clock_time: number; peak_rss: number }
    }
    const cpuSeconds = (summary.average_pcpu / 100) * summary.wall_clock_time
    return { cpuSeconds, memoryBytes: summary.peak_rss }
  },
}

const prmon: Peer = {
  tool: 'prmon',
  // It takes whole seconds only.
  command: (job, interval, notes) => [
    'prmon',
    '--interval',
    String(Math.max(1, Math.round(interval))),
    '--json-summary',
    notes,
    '--',
    ...job,
  ],
  figures(notes) {
    const { Max } = JSON.parse(readFileSync(notes, 'utf8')) as {
      Max: { utime: number; stime: number; pss: number }
    }
    return { cpuSeconds: Max.utime + Max.stime, memoryBytes: Max.pss * 1024 }
  },
}

/** The peers that are here; says which are not. */
export function peersHere(): Peer[] {
  return [psrecord, duct, prmon].filter(({ tool }) => {
    const here = findOnPath(tool) !== undefined
    if (!here) console.log(`${tool} is not on the path: left out`)
    return here
  })
}
