import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { appendText } from '../system/append-file.ts'
import { realFiles } from '../system/real-files.ts'
import { EpochCsv } from './epoch-csv.ts'

describe('the CSV file of an epoch', () => {
  let directory: string
  const path = (name: string) => join(directory, name)
  const writer = (folder = 'logs') => new EpochCsv(realFiles, appendText, path(folder))
  const lines = (name: string) => readFileSync(path(name), 'utf8').split('\n')
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'jobmeter-csv-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  const at = Date.parse('2025-10-07T10:00:00Z') / 1000

  it('has step, time and the metrics, GPUs first, as documented', () => {
    const csv = writer()
    const first = {
      cpu_percent: 45.2,
      memory_percent: 48.5,
      io_read_rate_mbps: 75.2,
      gpu_0_util: 85.3,
      gpu_0_memory_pct: 50,
    }
    const later = { ...first, gpu_0_util: 87.1, cpu_percent: 46.30004 }
    expect(csv.write({ epoch: 1, step: 0, timestamp: at, metrics: first }).kind).toBe('ok')
    expect(csv.write({ epoch: 1, step: 10, timestamp: at + 5, metrics: later }).kind).toBe('ok')
    expect(lines('logs/epoch_1.csv')).toEqual([
      'step,timestamp,gpu_0_util,gpu_0_memory_pct,cpu_percent,memory_percent,io_read_rate_mbps',
      '0,2025-10-07T10:00:00.000Z,85.3,50,45.2,48.5,75.2',
      '10,2025-10-07T10:00:05.000Z,87.1,50,46.3,48.5,75.2',
      '',
    ])
  })

  it('gives a metric that appears late a column, and leaves empty what is not measured', () => {
    const csv = writer()
    csv.write({ epoch: 0, step: 0, timestamp: at, metrics: { cpu_percent: 1 } })
    csv.write({ epoch: 0, step: 1, timestamp: at, metrics: { gpu_0_util: 5 } })
    csv.write({ epoch: 0, step: 2, timestamp: at, metrics: { cpu_percent: NaN, gpu_0_util: 6 } })
    expect(lines('logs/epoch_0.csv').map((line) => line.replace(/,2025[^,]*/, ''))).toEqual([
      'step,timestamp,cpu_percent,gpu_0_util',
      '0,1,',
      '1,,5',
      '2,,6',
      '',
    ])
  })

  it('does not wait at a pipe that somebody put in its place', () => {
    mkdirSync(path('logs'))
    execFileSync('mkfifo', [path('logs/epoch_0.csv')])
    const written = writer().write({ epoch: 0, step: 0, timestamp: at, metrics: { a: 1 } })
    expect(written).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining('not a regular file'),
    })
  })

  it('adds to what an earlier run left, whose last line may have been cut short', () => {
    writer().write({ epoch: 0, step: 0, timestamp: at, metrics: { a: 1 } })
    appendText(path('logs/epoch_0.csv'), '10,2025')
    writer().write({ epoch: 0, step: 0, timestamp: at, metrics: { a: 2, b: 3 } })
    expect(lines('logs/epoch_0.csv')).toEqual([
      'step,timestamp,a,b',
      '0,2025-10-07T10:00:00.000Z,1,',
      '10,2025,',
      '0,2025-10-07T10:00:00.000Z,2,3',
      '',
    ])
  })

  it('begins anew where the file was taken away meanwhile', () => {
    const csv = writer()
    csv.write({ epoch: 0, step: 0, timestamp: at, metrics: { a: 1 } })
    rmSync(path('logs'), { recursive: true })
    csv.write({ epoch: 0, step: 1, timestamp: at, metrics: { a: 2 } })
    expect(lines('logs/epoch_0.csv')).toHaveLength(3)
  })

  it('leaves a file of something else alone, and follows no link to a pipe or device', () => {
    writeFileSync(path('epoch_0.csv'), 'name,price\n')
    expect(writer('.').write({ epoch: 0, step: 0, timestamp: at, metrics: {} })).toEqual({
      kind: 'failed',
      error: expect.stringContaining('is not such a file'),
    })
    expect(lines('epoch_0.csv')).toEqual(['name,price', ''])
    symlinkSync('/dev/null', path('epoch_1.csv'))
    expect(writer('.').write({ epoch: 1, step: 0, timestamp: at, metrics: {} }).kind).toBe('failed')
  })

  it('says what is wrong where it cannot be written', () => {
    writeFileSync(path('logs'), '')
    const written = writer().write({ epoch: 0, step: 0, timestamp: at, metrics: {} })
    expect(written).toMatchObject({ why: expect.stringContaining('is not a directory') })
    expect(existsSync(path('logs/epoch_0.csv'))).toBe(false)
  })

  it('has as many cells as columns in each line, and each figure under its own name', () => {
    const names = fc.constantFrom('cpu_percent', 'gpu_0_util', 'gpu_12_util', 'io_wait_pct', 'x')
    const rows = fc.array(fc.dictionary(names, fc.double({ noDefaultInfinity: true })), {
      minLength: 1,
      maxLength: 8,
    })
    let epoch = 0
    fc.assert(
      fc.property(rows, (all) => {
        const csv = writer()
        epoch += 1
        all.forEach((metrics, step) => csv.write({ epoch, step, timestamp: at, metrics }))
        const [head = '', ...written] = lines(`logs/epoch_${epoch}.csv`)
        const columns = head.split(',')
        all.forEach((metrics, step) => {
          const cells = written[step]?.split(',') ?? []
          expect(cells).toHaveLength(columns.length)
          for (const [name, value] of Object.entries(metrics)) {
            const told = cells[columns.indexOf(name)] ?? 'none'
            expect(told === '' ? NaN : Number(told)).toBeCloseTo(value, 3)
          }
        })
      }),
      { numRuns: 40 },
    )
  })
})
