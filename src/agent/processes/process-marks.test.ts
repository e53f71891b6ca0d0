import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { marksIn } from './process-marks.ts'
import { noMarks } from './seen-process.ts'

const guide = readFileSync(join(import.meta.dirname, '../../../docs/agent.md'), 'utf8')

it('the guide tells of each variable of an environment that is kept, and of no other', () => {
  const [, kept = ''] = /## What is kept, and where\n(.*?)\n## /s.exec(guide) ?? []
  const [, table = ''] = /\n\| variable \|.*?\n\|---.*?\n(.*?)\n\n/s.exec(kept) ?? []
  const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)
  const marked = named.flatMap((name) =>
    Object.entries(marksIn(`PATH=/bin\0${name}=1\0`)).flatMap(([mark, value]) =>
      value === null ? [] : [mark],
    ),
  )
  expect(marked.toSorted()).toEqual(Object.keys(noMarks).toSorted())
})

const marks = (...variables: readonly string[]) =>
  marksIn(Buffer.from([...variables, ''].join('\0')).toString('latin1'))

describe('the name of a Slurm job', () => {
  it.each([
    ['train', 'train'],
    ['größer\nals 🙂', 'größer\nals 🙂'],
    ['x'.repeat(990), 'x'.repeat(200)],
    ['🙂'.repeat(300), '🙂'.repeat(200)],
    ['x'.repeat(100_000), 'x'.repeat(200)],
  ])('is kept up to 200 characters', (name, kept) => {
    expect(marks('SLURM_JOB_ID=7', `SLURM_JOB_NAME=${name}`).slurmJobName).toBe(kept)
  })
})

describe('the id of a Slurm job', () => {
  it.each(['0', '999999999999', '4294967295', '007', '7x'])('is not %s', (id) => {
    expect(marks(`SLURM_JOB_ID=${id}`).slurmJobId).toBeNull()
  })
})
