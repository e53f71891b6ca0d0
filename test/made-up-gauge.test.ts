import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Gauge, MeteredJob } from '../src/meter/gauges/gauge.ts'
import { describeColumns } from '../src/meter/gauges/sample-layout.ts'
import { shippedGauges } from '../src/meter/gauges/shipped.ts'
import type { JobDevice } from '../src/meter/job-devices.ts'
import { describeJob } from '../src/model/describe-job.ts'
import { measured, type Measured } from '../src/model/measured.ts'
import type { JobRecord } from '../src/model/record.ts'
import { sampleNames } from '../src/model/sample.ts'
import { openLedgerAt } from '../src/record/open-ledger.ts'
import { Recording } from '../src/record/recording.ts'
import { detailsText } from '../src/render/record/details-text.ts'
import { recordJson } from '../src/render/record/record-json.ts'
import { seriesCsv } from '../src/render/series/series-csv.ts'
import { seriesJson } from '../src/render/series/series-json.ts'
import { plainStyle } from '../src/render/text/style.ts'
import { realSystem } from '../src/system/real.ts'
import { documentedGauges, withReference } from '../tools/record-reference.ts'
import { launcherOn, runJob } from './contracts/launch.ts'
import { sandbox } from './program.ts'

/** How soon the kernel would kill the main process, and what it writes of a device: all that there is to this gauge is here. */
const oomGauge: Gauge<'oom_score_adjust', 'oomScoreAdjustPeak'> = {
  name: 'oom score',
  columns: [{ name: 'oom_score_adjust', kind: 'gauge', says: 'how soon it would be killed' }],
  figures: [{ key: 'oomScoreAdjustPeak', says: 'the readiest to be killed that it was' }],
  follow: (job) => new FollowedOomScore(job),
}

class FollowedOomScore {
  readonly #job: MeteredJob
  #peak = 0
  #device: JobDevice | undefined
  #turns = 0

  constructor(job: MeteredJob) {
    this.#job = job
  }

  look(
    row: Float64Array,
    at: Readonly<Record<'oom_score_adjust', number>>,
    elapsedSeconds: number,
  ): void {
    const { request, system } = this.#job
    const told = system.files.readText(`/proc/${request.rootPid}/oom_score_adj`)
    const latest = told.kind === 'ok' ? Number(told.value) : NaN
    // It cannot be read any more once the process is gone.
    if (latest > this.#peak) this.#peak = latest
    row[at.oom_score_adjust] = latest
    const device = (this.#device ??= this.#job.devices.open({ kind: 'fan', id: 'left' }, ['turns']))
    device.values[0] = ++this.#turns
    device.keep(elapsedSeconds)
  }

  figures(): Record<'oomScoreAdjustPeak', Measured> {
    return { oomScoreAdjustPeak: measured(this.#peak, 'oom_score_adj of the main process') }
  }
}

const gauges = [...shippedGauges, oomGauge]
const system = realSystem({ ownsProcess: false })
const launcher = launcherOn(system, { gauges })
const box = sandbox()
const rows: Float64Array[] = []
let columns: readonly string[] = []
let record: JobRecord

/** One that is readier to be killed than others, and lives until that was seen. */
const script = 'echo 321 > /proc/self/oom_score_adj; until [ -e "$0" ]; do sleep 0.02; done'

beforeAll(async () => {
  const seen = box.path('seen')
  const command = ['sh', '-c', script, seen]
  const job = describeJob(command, { name: 'ready', tags: [], workingDirectory: '' })
  const recording = await Recording.begin(system, box.db, job, {
    machineMemoryBytes: launcher.meter.machineMemoryBytes(),
    intervalSeconds: 0.1,
    columns: launcher.meter.columns,
    alone: true,
  })
  const result = await runJob(launcher, command, {
    intervalSeconds: 0.1,
    timeoutSeconds: 30,
    onSamples(all, count, names) {
      columns = names
      for (let row = 0; row < count; row++)
        rows.push(all.slice(row * names.length, (row + 1) * names.length))
      if (scores().includes(321)) writeFileSync(seen, '')
      recording.addSamples(all, count, names)
    },
    onDevices: recording.addDevices,
  })
  const { jobId = null } = { ...(await recording.inLedger()) }
  record = { ...recording.finish(result), jobId, attempt: 1 }
})

afterAll(() => {
  launcher.meter.close()
  box[Symbol.dispose]()
})

const scores = () => rows.map((row) => row[columns.indexOf('oom_score_adjust')])

it('is in the samples, after what every sample has', () => {
  expect(columns).toEqual([...sampleNames, 'oom_score_adjust'])
  expect(scores()).toContain(321)
})

it('is in the usage, with its basis', () => {
  expect(record.usage).toMatchObject({
    oomScoreAdjustPeak: { value: 321, basis: 'oom_score_adj of the main process' },
  })
  expect(record.usage.processesPeak.value).toBeGreaterThan(0)
})

it('is in the ledger and in what the program shows of it, which does not know the gauge', async () => {
  const ledger = openLedgerAt(system, box.db)
  const [kept] = ledger.jobs.findByPrefix(record.taskId)
  expect(kept?.usage).toEqual(record.usage)
  const samples = ledger.jobs.series(record.taskId).read()
  expect(samples).toMatchObject({ columns, rows })
  const [fan, ...others] = ledger.jobs.series(record.taskId).devices()
  expect(others).toEqual([])
  expect(fan).toMatchObject({
    kind: 'fan',
    id: 'left',
    columns: ['timestamp', 'elapsed_seconds', 'turns'],
    rows: rows.map((row, index) => Float64Array.of(row[0] ?? 0, row[1] ?? 0, index + 1)),
  })
  ledger.close()
  const { stdout } = await box.jobmeter(['show', record.taskId, '--format', 'json'])
  expect(JSON.parse(stdout)).toMatchObject({
    usage: { oom_score_adjust_peak: 321 },
    basis: { oom_score_adjust_peak: 'oom_score_adj of the main process' },
  })
})

it('is in JSON after the other figures, and in text by its name', () => {
  const json = recordJson(record)
  expect(Object.entries(json.usage).at(-1)).toEqual(['oom_score_adjust_peak', 321])
  expect(json.basis).toMatchObject({
    oom_score_adjust_peak: 'oom_score_adj of the main process',
  })
  expect(detailsText(record, plainStyle, 'utc')).toMatch(
    /Usage, Other:\n {2}oom score adjust peak +321\n/,
  )
})

it('is in the series, as CSV and as JSON', () => {
  const described = describeColumns(columns, gauges)
  const job = { series: { columns, rows, basis: {} }, columns: described, devices: [] }
  const [header = '', ...lines] = [...seriesCsv(job, 4)].join('').trimEnd().split('\n')
  expect(header.split(',').at(-1)).toBe('oom_score_adjust')
  expect(lines.map((line) => line.split(',').at(-1))).toContain('321')
  const { columns: shown, samples } = seriesJson(record, job)
  expect(shown.at(-1)).toEqual(oomGauge.columns[0])
  expect(samples.map((sample) => sample['oom_score_adjust'])).toContain(321)
})

it('is in the reference, and changes nothing else there', () => {
  const document = readFileSync(join(import.meta.dirname, '../docs/record.md'), 'utf8')
  const lines = withReference(document, [...documentedGauges, oomGauge]).split('\n')
  const further = [
    '| `usage.oom_score_adjust_peak` | count | the readiest to be killed that it was |',
    '| `oom_score_adjust` | gauge | how soon it would be killed |',
  ]
  expect(lines.filter((line) => further.includes(line))).toEqual(further)
  expect(lines.filter((line) => !further.includes(line)).join('\n')).toBe(document)
})
