import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withReference } from '../../tools/record-reference.ts'
import { sandbox } from '../program.ts'

const document = readFileSync(join(import.meta.dirname, '../../docs/record.md'), 'utf8')

/** The first cells of the tables under a heading. */
function documented(title: string): string[] {
  const section = document.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? ''
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, key = '']) => key)
}

describe('docs/record.md', () => {
  it('is what tools/record-reference.ts writes', () => {
    expect(document, 'stale: run node tools/record-reference.ts').toBe(withReference(document))
  })

  it('names every key that a record has, and no other', async () => {
    using box = sandbox()
    const straggling = 'sleep 300 >/dev/null 2>&1 & exit 3'
    const options = ['--metrics', 'all', '--param', 'mesh_size=64', '--memory-limit', '1g']
    const { ended, record: kept } = await box.run([...options, '--', 'sh', '-c', straggling])
    for (const { pid } of kept.stragglers) process.kill(pid)
    expect(ended.code).toBe(3)
    const shown = await box.jobmeter(['show', 'last', '--format', 'json'])
    const record = JSON.parse(shown.stdout) as Record<string, unknown>

    expect(Object.keys(record)).toEqual(documented('Keys of a record'))
    const parts = Object.keys(record).filter((key) => !withoutParts.has(key))
    const paths = parts.flatMap((key) => pathsOf(key, record[key]))
    expect(paths.filter((path) => path.includes('.')).toSorted()).toEqual(
      [...documented('Parts of a record'), ...documented('Usage')]
        .filter((path) => !onlyOfOthers.has(path))
        .toSorted(),
    )
    expect([...keysOf(record['basis']), ...keysOf(record['unmeasured'])].toSorted()).toEqual(
      keysOf(record['usage']).toSorted(),
    )
    expect(documented('Statuses')).toContain(record['status'])
  })

  it('names the columns of a series in their order', async () => {
    using box = sandbox()
    await box.run(['--', 'sleep', '0.1'])
    const { stdout } = await box.jobmeter(['series', 'last'])
    expect(stdout.split('\n', 1)[0]?.trim().split(',')).toEqual(documented('Columns of a series'))
  })
})

/** Of jobs that were killed for memory, and of those that were only watched. */
const onlyOfOthers: ReadonlySet<string> = new Set([
  'usage.memory_limit_met_bytes',
  'usage.cpu_unseen_seconds',
])

/** Objects whose keys are the user's, or those of `usage`. */
const withoutParts = new Set(['params', 'basis', 'unmeasured'])

/** `bound_by.kind`, `stragglers[].pid`; an empty object has no parts, and is a leaf. */
function pathsOf(path: string, value: unknown): string[] {
  if (Array.isArray(value)) return pathsOf(`${path}[]`, value[0])
  const keys = keysOf(value)
  if (keys.length === 0) return [path]
  return Object.entries(value as object).flatMap(([key, part]) => pathsOf(`${path}.${key}`, part))
}

const keysOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : []
