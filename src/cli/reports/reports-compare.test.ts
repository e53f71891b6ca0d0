import { describe, expect, it } from 'vitest'
import { someEnd, someStart } from '../../../test/contracts/attempts.ts'
import { LedgerFolder } from '../../../test/ledger-folder.ts'
import { emptyUsage } from '../../model/usage.ts'
import { execute } from './reports-compare.ts'

const folder = new LedgerFolder()

function record(
  tag: string,
  names: readonly string[],
  status: 'success' | 'failed' = 'success',
): void {
  names.forEach((name, index) => {
    const start = someStart(`${tag}-${name}-${index}`, { job: { name, tags: [tag] } })
    folder.ledger.jobs.finish(
      folder.ledger.jobs.begin(start),
      someEnd({
        usage: emptyUsage('not watched'),
        durationSeconds: 10 + index,
        outcome: { status, exitCode: 0, signal: null, reason: null, stragglers: [] },
      }),
    )
  })
}

const check = (...argv: string[]) =>
  folder.ask(execute, ['tag:v1', 'tag:v2', '--fail-on-regression', '10%', ...argv])

describe('jobmeter reports compare --fail-on-regression', () => {
  it('says how many runs it would take', async () => {
    record('v1', ['train'])
    record('v2', ['train', 'train', 'train'])
    expect(await check()).toMatchObject({
      code: 2,
      notes: expect.stringContaining(
        'duration cannot be judged with 1 against 3 runs: that takes 4 and 4 runs, or 3 and 5',
      ) as string,
    })
  })

  it('says how many jobs it would take where each is compared with its namesake', async () => {
    for (const tag of ['v1', 'v2']) record(tag, ['a', 'b', 'c'])
    expect(await check()).toMatchObject({
      code: 2,
      notes: expect.stringContaining(
        'duration cannot be judged with 3 pairs of jobs: that takes 6 pairs',
      ) as string,
    })
  })

  it('says where there is nothing to compare', async () => {
    record('v1', ['train'])
    record('v2', ['train'], 'failed')
    expect((await check()).notes).toContain(
      'duration cannot be judged: there is no run to compare in B',
    )
  })

  it('asks for no more runs where the figure was not measured', async () => {
    for (const tag of ['v1', 'v2']) record(tag, ['train', 'train', 'train', 'train'])
    expect(await check('--metric', 'cpu')).toMatchObject({
      code: 2,
      notes: expect.stringContaining(
        'cpu cannot be judged: it was not measured in A and B',
      ) as string,
    })
  })
})
