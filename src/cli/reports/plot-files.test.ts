import {
  linkSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import { realSystem } from '../../system/real.ts'
import { makeSeriesFile } from '../../store/series/series-file.ts'
import { gatherPlotJobs } from '../../service/gather-plots.ts'
import { writePlots } from './plot-files.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-plot-files-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

function series(name: string, rows: string, jobs = "(1, 'clean'), (2, 'train')"): string {
  const path = join(directory, name)
  const database = new DatabaseSync(path)
  database.exec(`
    CREATE TABLE job_resource_samples (job_id INTEGER, timestamp REAL, cpu_percent REAL,
      memory_bytes INTEGER, num_processes INTEGER);
    CREATE TABLE job_metadata (job_id INTEGER PRIMARY KEY, job_name TEXT);
    INSERT INTO job_metadata VALUES ${jobs};
    INSERT INTO job_resource_samples VALUES ${rows};`)
  database.close()
  return path
}

const rows = '(1, 10, 50, 100, 1), (2, 11, 90, 900, 2), (1, 12, 60, 200, 1), (2, 13, 80, 700, 2)'
const system = realSystem({ ownsProcess: false })

describe('a series file with devices and unknown columns', () => {
  it('is plotted as others are', () => {
    const run = { ledger: join(directory, 'l.db'), host: 'node01', workflowId: 1, runId: 1 }
    const file = makeSeriesFile(directory, run)
    const columns = ['timestamp', 'elapsed_seconds', 'memory_bytes', 'heat_joules']
    const writer = file.writer(3, 1, columns)
    writer.add(Float64Array.of(100, 0, 7, 1, 101, 1, 9, 2), 2)
    const watts = ['timestamp', 'elapsed_seconds', 'watts']
    writer.addDevice({
      kind: 'gpu',
      id: '0',
      columns: watts,
      rows: Float64Array.of(100, 0, 9),
      count: 1,
    })
    file.close()
    const out = join(directory, 'plots')
    const request = { paths: [file.path], directory: out, prefix: 'p' }
    expect(writePlots(system, request)).toMatchObject({ jobs: 1, samples: 2 })
    const [job] = gatherPlotJobs([file.path], undefined)
    expect(job?.attempts[0]?.curves.metrics.memoryBytes.peak).toBe(9)
  })
})

describe('writePlots', () => {
  it('writes the pages that people know by name, and one Plotly for all of them', () => {
    const paths = [series('a.db', rows)]
    const out = join(directory, 'new/plots')
    const written = writePlots(system, { paths, directory: out, prefix: 'resource_plot' })
    const [plotly = '', ...others] = readdirSync(out).toSorted()
    expect(plotly).toMatch(/^plotly-\d+\.\d+\.\d+-[\da-f]{16}\.min\.js$/)
    expect(others).toEqual([
      'resource_plot_cpu_all_jobs.html',
      'resource_plot_job_1.html',
      'resource_plot_job_2.html',
      'resource_plot_memory_all_jobs.html',
      'resource_plot_summary.html',
    ])
    expect(written).toMatchObject({ plotly: join(out, plotly), jobs: 2, samples: 4 })
    const page = readFileSync(join(out, 'resource_plot_job_2.html'), 'utf8')
    expect(page).toContain('"title":"train"')
    expect(page.match(/<(script|link|img)[^>]* (src|href)=[^>]*>/g)).toEqual([
      `<script src="${plotly}">`,
    ])
    expect(page.length).toBeLessThan(20_000)
  })

  it('puts all into each page where that is asked for', () => {
    const paths = [series('a.db', rows)]
    const request = { paths, directory, prefix: 'x', isSelfContained: true }
    expect(writePlots(system, request).plotly).toBe(null)
    const page = readFileSync(join(directory, 'x_job_2.html'), 'utf8')
    expect(page).not.toMatch(/<(script|link|img)[^>]* (src|href)=/)
    expect(page.length).toBeGreaterThan(1_000_000)
    expect(readdirSync(directory).some((name) => name.startsWith('plotly-'))).toBe(false)
  })

  it.each([
    ['another content', (path: string) => writeFileSync(path, 'alert(1)')],
    ['a link to a file', (path: string) => symlinkSync(join(directory, 'victim'), path)],
    ['a second name of a file', (path: string) => linkSync(join(directory, 'victim'), path)],
  ])('puts Plotly in place of %s by its name, and does not write through it', (_, plant) => {
    const paths = [series('a.db', rows)]
    const request = { paths, directory, prefix: 'x' }
    const plotly = writePlots(system, request).plotly ?? ''
    const whole = readFileSync(plotly, 'utf8')
    rmSync(plotly)
    writeFileSync(join(directory, 'victim'), 'precious')
    plant(plotly)
    writePlots(system, request)
    expect(lstatSync(plotly).isFile()).toBe(true)
    expect(readFileSync(plotly, 'utf8') === whole).toBe(true)
    expect(readFileSync(join(directory, 'victim'), 'utf8')).toBe('precious')
    expect(readdirSync(directory).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('plots some jobs only, under another name', () => {
    const paths = [series('a.db', rows)]
    const written = writePlots(system, { paths, directory, prefix: 'mine', jobIds: [2] })
    expect(written.pages.map((page) => page.slice(directory.length + 1))).toEqual([
      'mine_job_2.html',
      'mine_cpu_all_jobs.html',
      'mine_memory_all_jobs.html',
      'mine_summary.html',
    ])
  })

  it('joins runs of one job, and keeps apart jobs that share only their number', () => {
    const paths = [
      series('a.db', '(1, 10, 1, 1, 1)'),
      series('b.db', '(1, 20, 1, 1, 1)'),
      series('c.db', '(1, 30, 1, 1, 1)', "(1, 'other')"),
    ]
    const written = writePlots(system, { paths, directory, prefix: 'x' })
    expect(written.jobs).toBe(2)
    const page = readFileSync(join(directory, 'x_job_1.html'), 'utf8')
    expect(page).toContain('attempt 1 (a)')
    expect(page).toContain('attempt 1 (b)')
    expect(readFileSync(join(directory, 'x_job_1_2.html'), 'utf8')).toContain('"title":"other"')
  })

  it('keeps apart jobs of different ledgers, though number and name are the same', () => {
    const paths = ['a', 'b'].map((ledger) => {
      const path = series(`${ledger}.db`, '(1, 10, 1, 1, 1)')
      const database = new DatabaseSync(path)
      database.exec(
        `CREATE TABLE series_run (ledger TEXT); INSERT INTO series_run VALUES ('${ledger}')`,
      )
      database.close()
      return path
    })
    expect(writePlots(system, { paths, directory, prefix: 'x' }).jobs).toBe(2)
  })

  it('says what is missing: samples, Plotly', () => {
    const paths = [series('a.db', rows)]
    expect(() => writePlots(system, { paths, directory, prefix: 'x', jobIds: [9] })).toThrow(
      /no samples of job 9/,
    )
    expect(() => writePlots(fakeSystem(), { paths, directory, prefix: 'x' })).toThrow(
      /Plotly is missing/,
    )
  })
})

describe('gatherPlotJobs', () => {
  it('sorts a file that was not written in order of time', () => {
    const path = series('a.db', '(1, 30, 3, 3, 1), (1, 10, 1, 1, 1), (1, 20, 2, 2, 1)')
    const [job] = gatherPlotJobs([path], [1])
    expect([...(job?.attempts[0]?.curves.metrics.cpuPercent.times ?? [])]).toEqual([10, 20, 30])
  })
})
