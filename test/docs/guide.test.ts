import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { repository } from '../workloads/compile.ts'

/**
 * Every ```sh block of the documents is run as it stands, in a directory and a ledger of its own that
 * holds one job. A command must succeed unless a remark at the end of its line says otherwise:
 * `jobmeter run -- false # exits 1`.
 */
const documents = [
  'README.md',
  'docs/guide.md',
  'docs/record.md',
  'docs/workflows.md',
  'docs/reports.md',
  'docs/metrics.md',
  'docs/benchmarks.md',
  'docs/marks.md',
  'docs/alerts.md',
]
const textOf = (document: string): string => readFileSync(join(repository, document), 'utf8')

interface Block {
  readonly place: string
  readonly script: string
}

const blocks: readonly Block[] = documents.flatMap((document) => {
  const text = textOf(document)
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map((match): Block => {
    const line = text.slice(0, match.index).split('\n').length + 1
    return { place: `${document}:${line}`, script: match[1] ?? '' }
  })
})

/** A line with a remark becomes one that fails unless the command exits with that code. */
function withExpectedCodes(script: string): string {
  return script.replace(
    /^(.*\S) *# exits (\d+)$/gm,
    'code=0; $1 || code=$?; [ $code = $2 ] || { echo "exited with $code, not $2" >&2; exit 99; }',
  )
}

const hasSqlite = existsSync('/usr/bin/sqlite3')

describe('the documents', () => {
  it('show commands in each part of the guide', () => {
    expect(blocks.filter(({ place }) => place.includes('guide.md')).length).toBeGreaterThan(10)
  })

  it.concurrent.for(blocks)('run as they stand: $place', async ({ script }, { skip }) => {
    if (script.includes('sqlite3') && !hasSqlite) skip('sqlite3 is not installed')
    using box = sandbox()
    mkdirSync(box.path('bin'))
    symlinkSync(join(repository, 'bin/jobmeter.cjs'), box.path('bin/jobmeter'))
    await box.run(['--', 'sleep', '0.02'])
    const env = { ...box.env, PATH: `${box.path('bin')}:${box.env['PATH']}` }
    const ended = await shell(withExpectedCodes(script), { cwd: box.directory, env })
    expect(ended.failure, ended.output).toBeNull()
  })
})

interface ShellEnd {
  readonly failure: string | null
  readonly output: string
}

function shell(
  script: string,
  options: { cwd: string; env: Record<string, string> },
): Promise<ShellEnd> {
  return new Promise((resolve) => {
    const args = ['--norc', '-euo', 'pipefail', '-c', script]
    execFile('bash', args, { ...options, timeout: 150_000 }, (error, stdout, stderr) => {
      resolve({ failure: error?.message ?? null, output: stdout + stderr })
    })
  })
}

describe('what the documents name', () => {
  const known = new Set<string>()

  beforeAll(async () => {
    using box = sandbox()
    const { stdout: overview } = await box.jobmeter(['--help'])
    const rows = [...overview.matchAll(/^ {2}([a-z, -]+?) {2}/gm)]
    const commands = rows.flatMap(([, names = '']) => names.split(', '))
    const reports = ['check-resource-utilization', 'recommend', 'job', 'scaling', 'compare', 'cost']
    const helped = [
      ...commands.map((name) => [name]),
      ...reports.map((name) => ['reports', name]),
      ...['run', 'list', 'compare', 'report'].map((name) => ['benchmark', name]),
      ...['list', 'acknowledge', 'rules', 'test', 'deliver'].map((name) => ['alerts', name]),
      ['run', 'pipeline.yaml'],
    ]
    const texts = await Promise.all(helped.map((words) => box.jobmeter([...words, '--help'])))
    for (const name of commands) known.add(`jobmeter ${name}`)
    for (const { stdout } of texts) for (const [flag] of stdout.matchAll(option)) known.add(flag)
  })

  it.for(documents)('exists: commands and options in %s', (document) => {
    const code =
      textOf(document)
        .match(/^```.*?^```|`[^`\n]+`/gms)
        ?.join('\n') ?? ''
    const named = [...code.matchAll(command), ...code.matchAll(option)].map(([name]) => name)
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })
})

const command = /(?<=^|`|^\$ )jobmeter [a-z-]+/gm
/** Where an option stands first in its code, or in a command's help. */
const option = /(?<=`|^ +(?:(?:-\w|--[a-z-]+), )?)--[a-z][a-z-]+/gm
