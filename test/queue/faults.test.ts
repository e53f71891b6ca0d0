import { expect, it } from 'vitest'
import { whyNoPostgres } from '../postgres.ts'
import { QueueStorm } from './storm.ts'

const seed = Number(process.env['JOBMETER_TEST_SEED'] ?? 1)
const count = Number(process.env['JOBMETER_FAULTS'] ?? 5)

it.skipIf(whyNoPostgres() !== undefined)(
  `gives each job exactly one result, whatever happens (${count} faults)`,
  async () => {
    const storm = new QueueStorm(seed)
    const { problems, directory, ...came } = await storm.run(count)
    console.log(JSON.stringify({ seed, ...came }))
    expect(problems, `see ${directory}`).toEqual([])
    storm.tidy()
  },
  60_000 + count * 30_000,
)
