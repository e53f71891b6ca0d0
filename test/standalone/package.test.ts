import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { version } from '../../src/cli/version.ts'
import { repository } from '../workloads/compile.ts'

let scratch: string
let checkout: string
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'jobmeter-package-'))
  checkout = join(scratch, 'checkout')
  // As a fresh clone has it: nothing that was built.
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: repository, encoding: 'utf8' })
  for (const file of files.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(checkout, file)), { recursive: true })
    cpSync(join(repository, file), join(checkout, file))
  }
  symlinkSync(join(repository, 'node_modules'), join(checkout, 'node_modules'))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** What the README says between installing what it needs and installing it, neither of which a test can do. */
function packCommand(): string {
  const line = /^(.*npm install -g \.\/.*?) {2,}from a checkout$/m.exec(
    readFileSync(join(checkout, 'README.md'), 'utf8'),
  )
  const steps = line?.[1]?.split(' && ') ?? []
  return steps.filter((step) => step !== 'npm ci' && !step.startsWith('npm install')).join(' && ')
}

describe('the package', () => {
  it('that the README has one pack in a fresh clone starts', () => {
    execFileSync('sh', ['-c', packCommand()], { cwd: checkout, stdio: 'pipe' })
    const [archive = 'none'] = globSync('jobmeter-*.tgz', { cwd: checkout })
    execFileSync('tar', ['-xzf', join(checkout, archive), '-C', scratch])
    symlinkSync(join(repository, 'node_modules'), join(scratch, 'package/node_modules'))
    const program = join(scratch, 'package/bin/jobmeter.cjs')
    const { stdout, stderr } = spawnSync(process.execPath, [program, '--version'], {
      encoding: 'utf8',
    })
    expect([stdout, stderr]).toEqual([expect.stringContaining(version), ''])
  }, 180_000)
})
