import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { flow, results } from './flow.ts'

describe('a workflow whose spool cannot be one', () => {
  it.each([
    ['a file', (path: string) => writeFileSync(path, '')],
    ['a pipe', (path: string) => void spawnSync('mkfifo', [path])],
  ])('because %s has its name runs, and says so', async (_, plant) => {
    using box = sandbox()
    plant(`${box.db}.spool`)
    const ended = await box.jobmeter(['run', flow(box, 'jobs: [{ name: a, command: "true" }]\n')])
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.stderr).toContain('ledger.db.spool cannot be read')
    expect(await results(box)).toMatchObject([{ job_name: 'a', status: 'success' }])
    expect(existsSync(`${box.db}.spool`)).toBe(true)
  })
})
