import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const asked = promisify(execFile)
const module = new URL('held-directory.ts', import.meta.url).href

it('makes directories that others are making at the same time', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
  try {
    const script = `
      import { makeDirectories } from ${JSON.stringify(module)}
      while (Date.now() < Number(process.argv[1])) {}
      for (let at = 0; at < 300; at += 1) makeDirectories(process.argv[2] + '/' + at + '/job_stdio')`
    const start = String(Date.now() + 1000)
    const makers = Array.from({ length: 4 }, () =>
      asked(process.execPath, ['--input-type=module', '-e', script, start, directory]),
    )
    const told = await Promise.all(makers)
    expect(told.map(({ stderr }) => stderr)).toEqual(['', '', '', ''])
  } finally {
    rmSync(directory, { recursive: true })
  }
})
