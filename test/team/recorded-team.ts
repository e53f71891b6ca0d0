import { writeFileSync } from 'node:fs'
import { Database } from '../../src/store/postgres/connection.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { fillTeam } from '../fill-team.ts'
import type { Postgres } from '../postgres.ts'
import type { Sandbox } from '../program.ts'

const spec = `
name: pipeline
jobs:
  - name: prepare
    command: echo ready
  - name: train
    command: sh -c 'i=0; while [ $i -lt 1500000 ]; do i=$((i+1)); done; sleep 0.4; echo trained'
    depends_on: [prepare]
    resource_requirements: small
  - name: broken
    command: exit 3
resource_requirements:
  - name: small
    num_cpus: 1
    memory: 1g
    runtime: PT1M
resource_monitor:
  granularity: time_series
  sample_interval_seconds: 0.1
`

/** Records a workflow, some jobs and a benchmark: the workflow first, so that numbers are those that a team gives. */
export async function recordSome(place: Sandbox): Promise<void> {
  writeFileSync(place.path('spec.yaml'), spec)
  await place.jobmeter(['run', 'spec.yaml', '--output-dir', 'out', '--quiet'])
  await place.jobmeter(['run', '-q', '--tag', 'nightly', '--name', 'First', '--', 'sleep', '0.3'])
  await place.jobmeter(['run', '-q', '--', 'sh', '-c', 'exit 4'])
  await place.jobmeter(['run', '-q', '--interval', '0.1', '--name', 'long', '--', 'sleep', '0.8'])
  await place.jobmeter([
    'benchmark',
    'run',
    '-q',
    '--runs',
    '2',
    '--save-baseline',
    'v1',
    '--',
    'true',
  ])
  // What waits beside the ledger is taken in.
  await place.jobmeter(['job-history'])
}

/** A team ledger with what these ledgers hold, in their order. */
export async function teamOf(
  postgres: Postgres,
  name: string,
  ledgers: readonly string[],
): Promise<string> {
  const address = await postgres.database(name)
  const database = new Database({ connectionString: address })
  await migrate(database)
  for (const ledger of ledgers) await fillTeam(ledger, database)
  await database.close()
  return address
}
