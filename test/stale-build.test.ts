import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { staleSource } from './stale-build.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
  for (const path of ['src/meter', 'bin', 'dist/cli'])
    mkdirSync(join(folder, path), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(file: string, changedAt: number): void {
  writeFileSync(join(folder, file), '')
  utimesSync(join(folder, file), changedAt, changedAt)
}

it('names a source that was changed after the build', () => {
  write('src/meter/a.ts', 100)
  write('bin/jobmeter.cjs', 100)
  write('src/meter/a.test.ts', 300)
  expect(staleSource(folder)).toBe('bin/jobmeter.cjs')
  write('dist/cli/main.cjs', 200)
  expect(staleSource(folder)).toBeUndefined()
  write('src/meter/a.ts', 201)
  expect(staleSource(folder)).toBe('src/meter/a.ts')
})
