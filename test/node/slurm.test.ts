import { writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SlurmJobs } from '../../src/agent/slurm/slurm-jobs.ts'
import { realSystem } from '../../src/system/real.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { isOwnJob } from '../slurm/configuration.ts'
import { startSlurm, whyNoSlurm, type Slurm } from '../slurm/slurm.ts'

interface Job {
  readonly kind: string
  readonly id: string
  readonly user: string
  readonly account: string | null
  readonly state: string
  readonly job_name: string | null
  readonly shown_id: string | null
  readonly restarts: number | null
  readonly request: unknown
}

const mebibyte = 2 ** 20
const evil = 'two|lines\nJobId=1 UserId=root(0) Account=evil\n1|1|0|evil|1|cpu=99'

describe.skipIf(whyNoSlurm() !== undefined)('the jobs of a real Slurm', () => {
  let slurm: Slurm
  beforeAll(async () => {
    slurm = await startSlurm('cgroup')
  })
  // What a test left when it failed would be seen by the next, or by its second try.
  afterEach(async () => {
    slurm.call('scancel', '--user=nobody')
    await slurm.until('the jobs to end', () => slurm.call('squeue', '-h') === '')
  })
  afterAll(async () => {
    await slurm.stop()
  })

  const seen = async (box: Sandbox): Promise<Map<string, Job>> => {
    const listed = await box.jobmeter(['ps', '--format', 'json', '--db', box.path('node.db')])
    const jobs = JSON.parse(listed.stdout) as Job[]
    const own = jobs.filter(({ kind, id }) => kind === 'slurm' && isOwnJob(id))
    return new Map(own.map((job) => [job.id, job]))
  }
  const state = (id: string): string =>
    slurm.call('squeue', '-h', '-t', 'all', '-j', id, '-o', '%T')

  it('are found with user, account and request, while they run and afterwards', async () => {
    using box = sandbox()
    const config = box.path('agent.yaml')
    writeFileSync(config, `interval: 1h\nslurm: { conf: ${slurm.conf} }\n`)
    const hold = (...words: readonly string[]): string =>
      slurm.submit(...words, '--wrap', 'env -i sleep 100')
    const plain = hold('-c2', '--mem=100M', '--gres=gpu:1', '-t', '10', '-J', evil)
    const [arrayId = ''] = hold('--array=3', '--mem=50M', '-t', '20').split('_')
    const again = hold('--requeue', '--mem=10M', '-t', '1-2')
    const running = [plain, arrayId, again]
    await slurm.until('jobs', () => running.every((id) => state(id) === 'RUNNING'))
    slurm.call('scontrol', 'requeue', again)
    await slurm.until('the second run', () => slurm.startsAgain(again))

    const agent = box.start(['agent', '-v', '--config', config, '--db', box.path('node.db')])
    await agent.saw('looking every')
    writeFileSync(config, `interval: 0.3s\nslurm: { conf: ${slurm.conf} }\n`)
    agent.signal('SIGHUP')
    await agent.saw('round 1:')
    let jobs = await seen(box)
    for (let tries = 0; tries < 50 && running.some((id) => !jobs.get(id)?.request); tries++)
      jobs = await seen(box)
    const request = { cpus: 1, gpus: 0, runtime_seconds: 1200, source: 'slurm' }
    const mine = { user: 'nobody', account: 'physics', state: 'running' }
    expect(jobs.get(plain)).toMatchObject({
      ...mine,
      job_name: evil,
      shown_id: null,
      restarts: 0,
      request: { ...request, cpus: 2, gpus: 1, memory_bytes: 100 * mebibyte, runtime_seconds: 600 },
    })
    expect(jobs.get(arrayId)).toMatchObject({ ...mine, shown_id: `${arrayId}_3`, request })
    expect(jobs.get(again)).toMatchObject({
      ...mine,
      restarts: 1,
      request: { runtime_seconds: 93_600 },
    })
    expect([...jobs.keys()].toSorted()).toEqual(running.toSorted())

    slurm.call('scancel', ...running)
    await slurm.until('the end', () => running.every((id) => !/RUN|COMPLETING/.test(state(id))))
    agent.signal('SIGTERM')
    expect(await agent.ended).toMatchObject({ code: 0 })
    expect((await seen(box)).get(plain)).toMatchObject({
      user: 'nobody',
      account: 'physics',
      request: { ...request, cpus: 2, gpus: 1, memory_bytes: 100 * mebibyte, runtime_seconds: 600 },
    })
  })

  it('are asked for in the accounting once the controller has forgotten them', async () => {
    const id = slurm.submit('-c3', '--mem=20M', '--wrap', 'true')
    await slurm.until(
      'the accounting',
      () => slurm.call('sacct', '-nXPj', id, '-o', 'State') === 'COMPLETED',
    )
    using box = sandbox()
    // That is minutes later, on most clusters: it need not be waited for.
    writeFileSync(box.path('squeue'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const jobs = new SlurmJobs(realSystem({ ownsProcess: false }))
    const place = { folder: box.directory, environment: { SLURM_CONF: slurm.conf } }
    jobs.of(id, 65_534, 'cgroup')
    jobs.of(id, 0, 'cgroup')
    jobs.endRound(place)
    await slurm.until('the answer', () => {
      jobs.endRound(place)
      return !jobs.has(id, 65_534)
    })
    expect(jobs.takeLate()).toMatchObject([
      { id, word: { account: 'physics', reservation: { cpus: 3, memoryBytes: 20 * mebibyte } } },
    ])
  })
})
