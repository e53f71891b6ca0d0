/**
 * Encodes batches of metrics for remote write 1.0 and 2.0 and for OTLP, and prints how long that takes with compression, as a
 * ratio to compressing the same bytes alone, and what a batch costs on its way through the disk.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import snappy from 'snappyjs'
import { batchText } from '../src/remote/batch-content.ts'
import { wireRequest } from '../src/remote/wire-request.ts'
import type { MetricFamily } from '../src/render/metrics/family.ts'
import { otlpJson } from '../src/render/metrics/wire/otlp-json.ts'
import { remoteWrite1 } from '../src/render/metrics/wire/remote-write-1.ts'
import { remoteWrite2 } from '../src/render/metrics/wire/remote-write-2.ts'
import { BatchFolder } from '../src/store/outgoing/batch-folder.ts'
import { printTable, rounded, verdict } from './verdict.ts'

const series = Number(process.argv[2] ?? 5000)
const repeats = 60
const sender = { service: 'jobmeter-agent', instance: 'node0001', version: '0.1.0' }
const labels = { cluster: 'lab' }
const shared = { job: sender.service, instance: sender.instance, ...labels }

/** As a server tells them of many users: ten families, with users and names for labels. */
const families: MetricFamily[] = Array.from({ length: 10 }, (_, family) => ({
  name: `jobmeter_jobs_figure_${family}_seconds`,
  kind: family % 2 === 0 ? 'counter' : 'gauge',
  help: 'CPU time of attempts that have ended, as far as it was measured.',
  labels: [],
  samples: Array.from({ length: series / 10 }, (__, at) => ({
    labels: { user: `user${at % 50}`, name: `simulation_${at}` },
    value: at * 1234.567 + family,
    createdAt: 1_794_000_000 + at,
  })),
}))
const batch = { atMilliseconds: 1_794_826_241_962, families }

/** The least, which is what it takes where nobody else wants the CPU. */
function milliseconds(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < repeats; at += 1) {
    const started = performance.now()
    work()
    least = Math.min(least, performance.now() - started)
  }
  return least
}

const compressSnappy = (bytes: Uint8Array<ArrayBuffer>) => snappy.compress(bytes)
const wires = [
  ['remote-write-1', remoteWrite1(batch, shared).slice(), compressSnappy],
  ['remote-write-2', remoteWrite2(batch, shared).slice(), compressSnappy],
  ['otlp', new TextEncoder().encode(otlpJson(batch, labels, sender)), gzipSync],
] as const

const rows = wires.map(([protocol, bytes, compress]) => {
  const plain = milliseconds(() => compress(bytes))
  const whole = milliseconds(() => wireRequest(protocol, batch, labels, sender))
  const sent = compress(bytes).byteLength
  return { protocol, plain, whole, bytes: bytes.byteLength, sent }
})
printTable([
  [`${series} series`, 'ms', 'compressing alone', 'ratio', 'bytes/series', 'sent/series'],
  ...rows.map(({ protocol, plain, whole, bytes, sent }) => [
    protocol,
    rounded(whole),
    rounded(plain),
    rounded(whole / plain),
    rounded(bytes / series),
    rounded(sent / series),
  ]),
])

const folder = mkdtempSync(join(tmpdir(), 'jobmeter-bench-'))
try {
  const path = join(folder, 'remote')
  const opened = await BatchFolder.open(path, { mostBytes: 1e9, tryLock: () => 'got' })
  if (opened === undefined) throw new Error('the folder is held')
  const text = milliseconds(() => batchText(batch))
  const started = performance.now()
  for (let at = 0; at < repeats; at += 1) await opened.add(at, series, batchText(batch))
  const added = (performance.now() - started) / repeats
  console.log(
    `on disk: ${rounded(opened.bytes / repeats / series)} bytes/series; a batch takes ${rounded(added)} ms there, ${rounded(text)} ms of them on the main thread`,
  )
  opened.close()
} finally {
  rmSync(folder, { recursive: true })
}
for (const { protocol, whole, plain } of rows)
  if (protocol !== 'otlp')
    verdict(
      `${protocol}: encoding and compressing against compressing`,
      whole / plain,
      protocol === 'remote-write-1' ? 8 : 12,
      ' times',
    )
