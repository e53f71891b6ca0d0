import { mkdirSync, writeFileSync } from 'node:fs'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDocker, whyNoDocker, type Docker } from '../docker.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox } from '../program.ts'
import { until } from '../workflow/flow.ts'
import { teamDatabase } from './team.ts'
import { startWorker } from './worker.ts'

describe.skipIf(whyNoPostgres() !== undefined || whyNoDocker() !== undefined)(
  'containers of the queue',
  () => {
    let postgres: Postgres
    let docker: Docker
    // Of those that were started: one of them may fail to.
    const stops: (() => Promise<void>)[] = []
    beforeAll(async () => {
      postgres = await startPostgres('fsync=off')
      stops.push(() => postgres.stop())
      docker = await startDocker()
      stops.push(() => docker.stop())
    })
    afterAll(async () => {
      await Promise.all(stops.map((stop) => stop()))
    })

    it('have the variables of their job, and a script that is not in its folder', async () => {
      using box = sandbox()
      const address = await teamDatabase(postgres, 'tools')
      const worker = startWorker(address, box.directory)
      mkdirSync(box.path('work'))
      writeFileSync(box.path('greet.sh'), 'echo "$GREETING from $PWD"')
      writeFileSync(
        box.path('tools.yaml'),
        `tools: { greet: { command: [sh, "{script}"], image: "${docker.image}" } }`,
      )
      const variables = ['GREETING=hello', `DOCKER_HOST=${docker.host}`]
      const ended = await box.jobmeter(
        ['submit', 'greet', '../greet.sh', '--tools', box.path('tools.yaml'), '--wait']
          .concat('--directory', box.path('work'), '--db', address)
          .concat(variables.flatMap((variable) => ['--env', variable])),
      )
      expect(ended, ended.stderr).toMatchObject({ code: 0 })
      expect(ended.stdout).toBe(`hello from ${box.path('work')}\n`)
      worker.kill('SIGTERM')
      await worker.hasEnded
    }, 90_000)

    it('are ended when their worker is killed, before anybody else can have the job', async () => {
      using box = sandbox()
      const address = await teamDatabase(postgres, 'containers')
      const worker = startWorker(address, box.directory, '--lease', '60s')
      const submitted = await box.jobmeter(
        ['submit', '--env', `DOCKER_HOST=${docker.host}`, '--', 'docker', 'run', '--rm'].concat(
          '--network=none',
          docker.image,
          'sleep',
          '1000',
        ),
        { env: { JOBMETER_TEAM: address } },
      )
      expect(submitted, submitted.stderr).toMatchObject({ code: 0 })
      await until(() => docker.docker('ps', '-q') !== '')
      worker.kill('SIGKILL')
      await worker.hasEnded
      await until(() => docker.docker('ps', '-q') === '')
      const client = new Client({ connectionString: address })
      await client.connect()
      const { rows } = await client.query<{ state: string }>('SELECT state FROM jobmeter.queue_job')
      await client.end()
      expect(rows).toEqual([{ state: 'running' }])
    }, 90_000)
  },
)
