import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SlurmJobState } from '../../../slurm/job-state.ts'
import { shellOrder } from '../../../../test/contracts/orders.ts'
import { realSystem } from '../../../system/real.ts'
import { AttemptFolder } from '../remote/attempt-folder.ts'
import { RemoteAttempt } from '../remote/read-remote-attempt.ts'
import type { SiteTask } from '../remote/site.ts'
import { SlurmCommands } from './slurm-commands.ts'
import { SlurmSpec } from './slurm-spec.ts'
import { SlurmWorkers } from './slurm-workers.ts'
import { Submitter } from './submitter.ts'
import { WaitingList } from './waiting-list.ts'
import { WorkerReports } from './worker-reports.ts'

const system = realSystem({ ownsProcess: false })
let directory = ''

/** Stands in for Slurm: gives numbers from 1 on, and keeps what is to be cancelled. */
const programs = {
  sbatch: 'echo x >> submitted; wc -l < submitted',
  scancel: 'echo "$@" >> cancelled',
  squeue: 'cat listed',
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-workers-'))
  for (const [name, line] of Object.entries(programs)) {
    writeFileSync(join(directory, name), `#!/bin/sh\ncd ${directory}\n${line}\n`)
    chmodSync(join(directory, name), 0o755)
  }
  vi.stubEnv('PATH', `${directory}:${process.env['PATH']}`)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(directory, { recursive: true })
})

/** Workers, with a job that waits for them. */
function open() {
  const spec = new SlurmSpec({ name: 'flow', kept: {}, jobs: [] })
  const common = {
    program: ['true'],
    directory: () => directory,
    spec: () => spec,
    trouble: () => {},
    byArrays: () => false,
    metrics: () => [],
    workingDirectory: directory,
  }
  const commands = new SlurmCommands(system, process.env)
  const submitter = new Submitter(system, commands, common)
  const workers = new SlurmWorkers(system, commands, submitter, common)
  const job = { taskId: 't', scheduler: null, runtimeSeconds: null }
  const claim = { cpus: 1, memoryBytes: 0, gpus: 0 }
  new WaitingList(system.files, directory).add({ ...job, ...claim }, 0)
  const folder = new AttemptFolder(system.files, `${directory}/t`)
  const attempt = new RemoteAttempt(system.clock, folder)
  const tasks: SiteTask[] = [
    {
      taskId: 't',
      handle: { executor: 'slurm', folder: folder.path, site: { slurm_workers: true } },
      folder,
      attempt,
    },
  ]
  return {
    workers,
    folder,
    /** Slurm says how these stand. */
    look: (states: Readonly<Record<string, string>>) =>
      workers.look(
        new Map(Object.entries(states).map(([id, state]) => [id, stateOf(id, state)])),
        tasks,
      ),
    have: async (...ids: readonly string[]): Promise<void> => {
      await expect.poll(() => workers.allocations).toEqual(ids)
    },
  }
}

const stateOf = (id: string, state: string): SlurmJobState => ({
  id,
  name: id,
  state,
  cancelledBy: null,
  exitCode: null,
  signal: null,
  restarts: null,
  nodes: 'c1',
})

describe('allocations of workers', () => {
  it('are not over because Slurm does not list them yet', async () => {
    const { workers, look, have } = open()
    await look({})
    await have('1')
    await look({})
    await look({ 1: 'PENDING' })
    await have('1')
    workers.close()
    const cancelled = () => readFileSync(join(directory, 'cancelled'), 'utf8')
    await expect.poll(cancelled, { timeout: 10_000 }).toBe('--state=PENDING 1\n')
    expect(readFileSync(join(directory, 'submitted'), 'utf8')).toBe('x\n')
  })

  it('were of use where a worker took a job, however Slurm ended them', async () => {
    const { workers, look, have } = open()
    const reports = new WorkerReports(system.files, directory)
    await look({})
    for (const id of ['1', '2', '3']) {
      await have(id)
      reports.tellUsed(id)
      await look({ [id]: id === '2' ? 'FAILED' : 'PREEMPTED' })
    }
    await have('4')
    expect(workers.troubleOf('t')).toBeNull()
    for (const id of ['4', '5', '6']) {
      await have(id)
      await look({ [id]: 'PREEMPTED' })
    }
    expect(workers.troubleOf('t')).toBe(
      'no workers: 3 allocations ended without taking a job (the last one: PREEMPTED)',
    )
  })

  it('are not asked for again where all nodes of one like it were too small', async () => {
    const { workers, look, have } = open()
    await look({})
    await have('1')
    const misfit = { taskId: 't', allocation: '1', scheduler: null, node: 'c1' }
    new WorkerReports(system.files, directory).tellMisfit(misfit, 'it asks for 2 CPUs')
    await look({ 1: 'RUNNING' })
    expect(workers.troubleOf('t')).toBe('no worker can take it: it asks for 2 CPUs')
    await look({ 1: 'FAILED' })
    await have()
  })

  it('take over those that a killed runner has left for the folder', async () => {
    const { look, have } = open()
    mkdirSync(join(directory, 'batch'))
    writeFileSync(join(directory, 'batch/workers-a,1,.sh'), '')
    writeFileSync(
      join(directory, 'listed'),
      `7 ${directory}/batch/workers-a,1,.sh\n8 /elsewhere/batch/workers-a,1,.sh\n9 true\n`,
    )
    await look({ 7: 'RUNNING' })
    await have('7')
    expect(readdirSync(directory)).not.toContain('submitted')
    await look({ 7: 'COMPLETED' })
    await have('1')
  })
})

describe('a job that waits for workers', () => {
  it('is listed again where nobody took it and its name was lost', async () => {
    const { look, folder } = open()
    folder.writeOrder({ version: 1, order: shellOrder('t', 'true'), metrics: [] })
    const list = new WaitingList(system.files, directory)
    const forget = (): void => list.read().forEach(({ fileName }) => list.remove(fileName))
    forget()
    await look({})
    expect(list.read()).toMatchObject([{ taskId: 't' }])
    await look({})
    expect(list.read()).toHaveLength(1)
    forget()
    folder.claim({ kind: 'withdrawn', as: 'cancelled', signal: 'SIGTERM' })
    await look({})
    expect(list.read()).toEqual([])
  })

  it('is refused where workers cannot be told of it', async () => {
    const { workers, folder } = open()
    rmSync(join(directory, 'waiting'), { recursive: true })
    writeFileSync(join(directory, 'waiting'), 'in the way')
    const [answer] = await workers.add([{ order: shellOrder('t', 'true'), folder }])
    expect(answer).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('no worker could be told of it: ') as string,
    })
  })
})
