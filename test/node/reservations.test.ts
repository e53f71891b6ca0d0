import { beforeAll, describe, expect, it } from 'vitest'
import { NodeGpus } from '../../src/agent/gpus/node-gpus.ts'
import { NodeSampler } from '../../src/agent/node-sampler.ts'
import type { NodeJob } from '../../src/model/node-round.ts'
import { realSystem } from '../../src/system/real.ts'
import { startDocker, whyNoDocker, type Docker } from '../docker.ts'
import { sandbox } from '../program.ts'

const mebibyte = 2 ** 20
const system = realSystem({ ownsProcess: false })

/** What a round says of the jobs of a kind. */
function jobsOf(kind: NodeJob['kind']): NodeJob[] {
  const sampler = new NodeSampler(system, undefined, new NodeGpus(system))
  const { jobs } = sampler.round(1)
  sampler.close()
  return jobs.filter((job) => job.kind === kind)
}

describe('what jobmeter was asked for', () => {
  it('is told of its own jobs, and not of jobs inside of them', async () => {
    using box = sandbox()
    const inner = 'echo inner $JOBMETER_TASK_ID; echo ready; sleep 60'
    const asked = ['--cpus', '2', '--memory', '64M', '--gpus', '1', '--runtime', '1h']
    const job = box.start([
      'run',
      ...asked,
      '--',
      'sh',
      '-c',
      `echo outer $JOBMETER_TASK_ID; ${process.execPath} "$0" run -- sh -c '${inner}'; :`,
      new URL('../../bin/jobmeter.cjs', import.meta.url).pathname,
    ])
    const told = await job.saw('ready')
    const idOf = (name: string): string => new RegExp(`${name} (\\w+)`).exec(told)?.[1] ?? ''
    const reservations = new Map(jobsOf('attempt').map((one) => [one.id, one.reservation]))
    expect(reservations.get(idOf('outer'))).toEqual({
      cpus: 2,
      memoryBytes: 64 * mebibyte,
      gpus: 1,
      runtimeSeconds: 3600,
      source: 'jobmeter',
    })
    expect(reservations.get(idOf('inner'))).toBeNull()
    job.signal('SIGTERM')
    await job.ended
  })
})

describe.skipIf(whyNoDocker() !== undefined)('the limits of a real container', () => {
  let docker: Docker
  beforeAll(async () => {
    docker = await startDocker()
    return () => docker.stop()
  })

  const start = (...words: readonly string[]): string =>
    docker.docker('run', '-d', '--network=none', ...words, docker.image, 'sleep', '100')

  it('are what it asked for, with the GPUs that it was given', () => {
    const limited = start('--cpus=1.5', '--memory=64m', '--env=NVIDIA_VISIBLE_DEVICES=0,3')
    const free = start()
    const own = { JOBMETER_TASK_ID: 'abcd', JOBMETER_REQUEST: 'cpus=3' }
    start('--cpus=1', ...Object.entries(own).map(([name, value]) => `--env=${name}=${value}`))
    const containers = new Map(jobsOf('container').map((job) => [job.id, job.reservation]))
    expect(containers.get(limited)).toEqual({
      cpus: 1.5,
      memoryBytes: 64 * mebibyte,
      gpus: 2,
      runtimeSeconds: null,
      source: 'container',
    })
    expect(containers.get(free)).toBeNull()
    // What jobmeter was asked for is closer than the limits around it.
    expect(jobsOf('attempt').find(({ id }) => id === 'abcd')?.reservation).toMatchObject({
      cpus: 3,
      source: 'jobmeter',
    })
  })
})
