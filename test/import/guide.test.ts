import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { repository } from '../workloads/compile.ts'

/** Commands of the guide's example, with what they print. */
function exampleOf(guide: string): { words: string[]; output: string }[] {
  const [, block = ''] = /```console\n([^]*?)```/.exec(guide) ?? []
  return block
    .split(/^\$ jobmeter /m)
    .slice(1)
    .map((part) => {
      const [line = '', ...output] = part.split('\n')
      return { words: line.split(' '), output: output.join('\n') }
    })
}

describe('the guide to imports', () => {
  it('shows what the program prints', async () => {
    using box = sandbox()
    cpSync(join(repository, 'test/fixtures/sonar/tree'), box.path('tree'), { recursive: true })
    cpSync(join(repository, 'test/fixtures/sacct/jobs.txt'), box.path('jobs.txt'))
    const example = exampleOf(readFileSync(join(repository, 'docs/import.md'), 'utf8'))
    expect(example).toHaveLength(3)
    for (const { words, output } of example) {
      const ended = await box.jobmeter(words, { env: { TZ: 'Europe/Oslo' } })
      expect(ended.stdout.replaceAll(box.directory, '/data')).toBe(output)
    }
  })
})
