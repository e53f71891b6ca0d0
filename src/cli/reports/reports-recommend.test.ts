import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { someRun, WorkflowInLedger } from '../../../test/contracts/workflows.ts'
import { LedgerFolder } from '../../../test/ledger-folder.ts'
import { recordAttempt } from '../../../test/recorded-workflow.ts'
import { readSpec } from '../../workflow/spec/read-spec.ts'
import { execute } from './reports-recommend.ts'

const gigabyte = 2 ** 30

const folder = new LedgerFolder()
const ask = (...argv: string[]) => folder.ask(execute, argv)

const yaml = `# My pipeline
name: pipeline
jobs:
  - name: train
    command: python train.py
    resource_requirements: guess
  - name: part_{i}
    command: part {i}
    parameters: { i: "1:2" }
    resource_requirements: { cpus: 4, memory: 2g } # too much
  - name: free
    command: "true"
resource_requirements:
  - name: guess
    num_cpus: 8
    memory: 8g        # ← too low
    runtime: PT2H     # ← too low
`

const kdl = `// My pipeline
name "pipeline"
job "train" { command "python train.py"; resource_requirements "guess"; }
job "part_{i}" {
  command "part {i}"
  parameters { i "1:2" }
  resource_requirements cpus=4 memory="2g" // too much
}
job "free" command="true"
resource_requirements "guess" {
  num_cpus 8
  memory "8g" // too low
  runtime "PT2H"
}
`

const json5 = `{ // My pipeline
  name: 'pipeline',
  jobs: [
    { name: 'train', command: 'python train.py', resource_requirements: 'guess' },
    { name: 'part_{i}', command: 'part {i}', parameters: { i: '1:2' },
      resource_requirements: { cpus: 4, memory: '2g' } }, // too much
    { name: 'free', command: 'true' },
  ],
  resource_requirements: [
    { name: 'guess', num_cpus: 8, memory: '8g', runtime: 'PT2H' },
  ],
}
`

const json = `{
  "name": "pipeline",
  "jobs": [
    { "name": "train", "command": "python train.py", "resource_requirements": "guess" },
    { "name": "part_{i}", "command": "part {i}", "parameters": { "i": "1:2" },
      "resource_requirements": { "cpus": 4, "memory": "2g" } },
    { "name": "free", "command": "true" }
  ],
  "resource_requirements": [
    { "name": "guess", "num_cpus": 8, "memory": "8g", "runtime": "PT2H" }
  ]
}
`

/** Stores the workflow of a file, and two runs of it. */
function recorded(file: string, specText: string) {
  const specPath = join(folder.directory, file)
  writeFileSync(specPath, specText)
  const read = readSpec(specText, file)
  if (read.kind === 'invalid') throw new Error(read.errors[0]?.message)
  const { workflow: definition } = read
  const created = { workflow: definition, specPath, specText, user: 'ada', createdAt: 1 }
  const workflow = new WorkflowInLedger(folder.ledger, created)
  folder.ledger.workflows.beginRun(workflow.id, someRun)
  folder.ledger.workflows.beginRun(workflow.id, someRun)
  const requirementsOf = (name: string) =>
    definition.jobs.find((job) => job.name === name)?.requirements ?? {}
  const put = (name: string, run: number, gigabytes: number, seconds: number, cores: number) =>
    recordAttempt(folder.ledger, workflow, name, {
      requirements: requirementsOf(name),
      runId: run,
      attempt: run,
      durationSeconds: seconds,
      figures: {
        memoryPeakBytes: gigabytes * gigabyte,
        cpuPercentP95: cores * 100,
        cpuPercentPeak: cores * 300,
        cpuTotalSeconds: seconds,
      },
    })
  put('train', 1, 9, 9000, 3.1)
  put('train', 2, 10.5, 9900, 3)
  put('part_1', 1, 0.25, 60, 1)
  put('part_2', 1, 0.5, 120, 2)
  put('free', 1, 1, 1, 1)
  return { specPath, id: String(workflow.id) }
}

const files = [
  ['pipeline.yaml', yaml],
  ['pipeline.kdl', kdl],
  ['pipeline.json5', json5],
  ['pipeline.json', json],
] as const

describe('jobmeter reports recommend', () => {
  it('says what each request should have been, why, and how sure that is', async () => {
    const { id } = recorded('pipeline.yaml', yaml)
    const { text } = await ask(id)
    expect(text.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
      'Requirement | Jobs | Resource | Requested | Recommended | Change | Confidence | Reason',
      'guess | 1 | Memory | 8.00 GB | 13.00 GB | +62.5% | low (2 attempts, 9.00 GB to 10.50 GB) | peak 10.50 GB + 15%',
      'guess | 1 | CPU | 8 cores | 4 cores | -50.0% | low (2 attempts, 3 cores to 3.1 cores) | at most 3.1 cores busy 95% of the time',
      'guess | 1 | Runtime | 2h 0m 0s | 3h 18m 0s | +65.0% | low (2 attempts, 2h 30m 0s to 2h 45m 0s) | 95% took at most 2h 45m 0s, + 20%',
      'part_{i} | 2 | Memory | 2.00 GB | 589.00 MB | -71.2% | low (2 attempts, 256.00 MB to 512.00 MB) | peak 512.00 MB + 15%',
      'part_{i} | 2 | CPU | 4 cores | 2 cores | -50.0% | low (2 attempts, 1 core to 2 cores) | at most 2 cores busy 95% of the time',
      'part_{i} | 2 | Runtime | – | 2m 24s | new | low (2 attempts, 1m 0s to 2m 0s) | 95% took at most 2m 0s, + 20%',
      '',
      'Over 5 attempts in 2 runs this saves 21.10 core-hours and adds 26.18 GB-hours.',
      '1 job without resource_requirements: nothing to change there.',
      '',
    ])
  })

  it('shows the same in every format', async () => {
    const { id } = recorded('pipeline.yaml', yaml)
    const read = JSON.parse((await ask(id, '--format', 'json')).text) as {
      recommendations: Record<string, string | number>[]
    }
    expect(read).toMatchObject({ workflow_id: 1, runs: 2, attempts: 5, saved_core_hours: 21.1 })
    const keys = ['requirement', 'resource_type', 'requested', 'recommended', 'change', 'reason']
    const cells = read.recommendations.map((row) => keys.map((key) => String(row[key])))
    expect(cells).toHaveLength(6)
    const table = (await ask(id)).text.split('\n')
    const csv = (await ask(id, '--format', 'csv')).text.split('\n')
    const markdown = (await ask(id, '--format', 'markdown')).text.replaceAll('\\', '').split('\n')
    for (const [index, row] of cells.entries())
      for (const cell of row) {
        expect(table[index + 1]).toContain(cell)
        expect(csv[index + 1]).toContain(cell)
        expect(markdown[index + 2]).toContain(` ${cell} |`)
      }
  })

  it('looks only at the newest runs where that is asked for', async () => {
    const { id } = recorded('pipeline.yaml', yaml)
    const { text } = await ask(id, '--runs', '1', '--format', 'json')
    expect(JSON.parse(text)).toMatchObject({
      runs: 1,
      attempts: 1,
      recommendations: [{ attempts: 1 }, {}, {}, { attempts: 0, recommended_value: null }, {}, {}],
    })
    await expect(ask(id, '--runs', '0')).rejects.toThrow('neither "all" nor')
  })

  describe.each(files)('--write %s', (file, specText) => {
    it('shows the difference, writes it, and the second time has nothing to do', async () => {
      const { id, specPath } = recorded(file, specText)
      const dry = await ask(id, '--write', specPath, '--dry-run')
      expect(readFileSync(specPath, 'utf8')).toBe(specText)
      expect(dry.text).toContain(`--- ${specPath}\n+++ ${specPath}\n@@ `)
      expect(dry.notes).toContain('was left as it is')
      const first = await ask(id, '--write', specPath)
      expect(first.text).toBe(dry.text)
      const written = readFileSync(specPath, 'utf8')
      expect(written.split('\n').filter((line) => !/cpus|memory|runtime/.test(line))).toEqual(
        specText.split('\n').filter((line) => !/cpus|memory|runtime/.test(line)),
      )
      const read = readSpec(written, file)
      if (read.kind === 'invalid') throw new Error(read.errors[0]?.message)
      const part = { cpus: 2, memoryBytes: 589 * 2 ** 20, runtimeSeconds: 144 }
      expect(read.workflow.jobs.map(({ requirements }) => requirements)).toMatchObject([
        { cpus: 4, memoryBytes: 13 * gigabyte, runtimeSeconds: 198 * 60 },
        part,
        part,
        { cpus: null, memoryBytes: null, runtimeSeconds: null },
      ])
      const second = await ask(id, '--write', specPath)
      expect(second.notes).toContain('Nothing to change in')
      expect(readFileSync(specPath, 'utf8')).toBe(written)
    })
  })

  it('writes these lines', async () => {
    const { id, specPath } = recorded('pipeline.yaml', yaml)
    const { text } = await ask(id, '--write', specPath)
    const changed = text.split('\n').filter((line) => /^[-+] /.test(line))
    expect(changed).toEqual([
      '-    resource_requirements: { cpus: 4, memory: 2g } # too much',
      '+    resource_requirements: { cpus: 2, memory: 589m, runtime: PT2M24S } # too much',
      '-    num_cpus: 8',
      '-    memory: 8g        # ← too low',
      '-    runtime: PT2H     # ← too low',
      '+    num_cpus: 4',
      '+    memory: 13g        # ← too low',
      '+    runtime: PT3H18M     # ← too low',
    ])
  })

  it('tells programs what it wrote, and people what is not in the file', async () => {
    const { id } = recorded('pipeline.yaml', yaml)
    const other = join(folder.directory, 'other.yaml')
    writeFileSync(other, yaml.replaceAll('guess', 'renamed'))
    const { text, notes } = await ask(id, '--write', other, '--format', 'json')
    expect(JSON.parse(text)).toMatchObject({
      write: { path: other, written: true, not_in_file: ['guess'] },
    })
    expect(notes).toContain('has no request "guess"')
  })

  it('refuses what makes no sense', async () => {
    await expect(ask('1', '--dry-run')).rejects.toThrow('--dry-run needs --write')
    await expect(ask('1', '--write', join(folder.directory, 'no.yaml'))).rejects.toThrow('no.yaml')
    await expect(ask('7')).rejects.toThrow('there is no workflow 7')
  })
})
