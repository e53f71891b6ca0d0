import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatSpecError } from '../../src/workflow/spec/problem.ts'
import { readSpec } from '../../src/workflow/spec/read-spec.ts'

/** What is said about each malformed file. UPDATE_GOLDEN=1 writes the file anew; review the difference. */
const golden = join(import.meta.dirname, 'malformed.golden.txt')
const folder = join(import.meta.dirname, 'malformed')
const files = readdirSync(folder).toSorted()

function errorsOf(file: string): string {
  const result = readSpec(readFileSync(join(folder, file), 'utf8'), file)
  if (result.kind === 'ok') return `${file} has no errors`
  return result.errors.map(formatSpecError).join('\n')
}

if (process.env['UPDATE_GOLDEN'] === '1') {
  writeFileSync(golden, `${files.map(errorsOf).join('\n\n')}\n`)
}

const expected = readFileSync(golden, 'utf8').trimEnd().split('\n\n')

describe('malformed specs', () => {
  it('are at least 60', () => {
    expect(files.length).toBeGreaterThanOrEqual(60)
    expect(expected).toHaveLength(files.length)
  })

  it.each(files.map((file, index) => [file, index] as const))('%s', (file, index) => {
    expect(errorsOf(file)).toBe(expected[index])
    expect(errorsOf(file)).not.toContain('has no errors')
  })
})
