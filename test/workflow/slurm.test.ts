import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  programCommand,
  sandbox,
  truth,
  workload,
  type Ended,
  type Running,
  type Sandbox,
} from '../program.ts'
import { startSlurm, whyNoSlurm } from '../slurm/slurm.ts'
import { executorContract } from '../contracts/executor.ts'
import { localExecutors } from '../contracts/local-executors.ts'
import { RemoteExecutor } from '../../src/workflow/executors/remote/remote-executor.ts'
import { SlurmCommands } from '../../src/workflow/executors/slurm/slurm-commands.ts'
import { SlurmSite } from '../../src/workflow/executors/slurm/slurm-site.ts'
import { SlurmSpec } from '../../src/workflow/executors/slurm/slurm-spec.ts'
import { Submitter } from '../../src/workflow/executors/slurm/submitter.ts'
import { realSystem } from '../../src/system/real.ts'
import { flow, lines, onPath, results, script, states, until, type ListedResult } from './flow.ts'
import { endTests } from './slurm-ends.ts'
import { guideTests } from './slurm-guide.ts'
import { nodeTests } from './slurm-nodes.ts'
import { seedTests } from './slurm-seed.ts'
import { fileOf, SlurmStage } from './slurm-stage.ts'
import { standingTests } from './slurm-standing.ts'
import { workerTests } from './slurm-workers.ts'

const small = 'resource_requirements: { num_cpus: 1, memory: 300m, runtime: PT5M }'

const big = 'resource_requirements: { num_cpus: 1, memory: 700m, runtime: PT5M }'

/** What uses CPU time, or holds memory, in several processes at once: milliseconds, or mebibytes. */
const anyJob = fc.oneof(
  fc.record({
    kind: fc.constant('cpu' as const),
    parts: fc.array(fc.integer({ min: 300, max: 700 }), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('memory' as const),
    parts: fc.array(fc.integer({ min: 60, max: 200 }), { minLength: 1, maxLength: 3 }),
  }),
)
type AnyJob = typeof anyJob extends fc.Arbitrary<infer Job> ? Job : never

/** Those that hold memory go on until all of them have it, and a second longer: their sum is what the job held. */
const commandOf = ({ kind, parts }: AnyJob, index: number): string => {
  if (kind === 'cpu') {
    const burns = parts.map((ms, part) => `${workload('burn')} ${ms} burn-${index}-${part}.json`)
    return `${burns.join(' & ')} & wait`
  }
  const hogs = parts.map((size, part) => `${workload('hog')} ${size} 90000 > full-${index}-${part}`)
  const allFull = `[ $(cat full-${index}-* | wc -l) = ${parts.length} ]`
  return `${hogs.join(' & ')} & until ${allFull}; do sleep 0.1; done; sleep 1; kill $(jobs -p); wait`
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** Jobs that Slurm ends in ways of its own; the last two get another try. */
const ended = `
slurm_defaults: { requeue: true }
failure_handlers: [{ name: again, rules: [{ match_all_exit_codes: true, max_retries: 1 }] }]
jobs:
  - name: late
    command: sleep 301
    resource_requirements: { num_cpus: 1, memory: 101m, runtime: PT5M }
  - name: hungry
    command: ${workload('hog')} 400 20000
    resource_requirements: { num_cpus: 1, memory: 102m }
  - name: cancelled
    command: sleep 303
    resource_requirements: { num_cpus: 1, memory: 103m, runtime: PT5M }
  - name: requeued
    command: test $JOBMETER_ATTEMPT = 2 || sleep 304
    failure_handler: again
    resource_requirements: { num_cpus: 1, memory: 104m, runtime: PT5M }
  - name: preempted
    command: test $JOBMETER_ATTEMPT = 2 || sleep 305
    failure_handler: again
    resource_requirements: { num_cpus: 1, memory: 105m, runtime: PT5M, num_gpus: 2 }
`

describe.skipIf(whyNoSlurm() !== undefined)(
  'a workflow on a real Slurm',
  { timeout: 240_000 },
  () => {
    const stage = new SlurmStage()
    const partitions = { far: ['far1', 'far2'], frail: ['frail1', 'frail2'] }
    let slow: Sandbox
    let slowRun: Running
    beforeAll(async () => {
      stage.use(await startSlurm('cgroup', { enforces: true, partitions }))
      // Slurm looks for jobs that are past their time every half minute: this one goes on while the others run.
      slow = sandbox()
      slowRun = slow.start(stage.words(flow(slow, ended), '--slurm-by', 'jobs'), stage.onIt())
      await until(() => stage.running('late') !== '')
      stage.slurm.call('scontrol', 'update', `JobId=${stage.running('late')}`, 'EndTime=now+1')
    })
    afterAll(async () => {
      slow?.[Symbol.dispose]()
      await stage.slurm.stop()
    })

    const run = (box: Sandbox, ...words: readonly string[]): Promise<Ended> => stage.run(box, words)
    /** What was left with a job in the accounting. */
    const commentTold = (id: string): string =>
      stage.slurm.call('sacct', '-X', '-n', '-P', '-j', id, '-o', 'AdminComment')
    const commentOf = (id: string): Record<string, number> => {
      return JSON.parse(commentTold(id).replaceAll('`', '"')) as Record<string, number>
    }

    seedTests(stage)
    guideTests(stage)
    nodeTests(stage)
    endTests(stage)
    standingTests(stage)
    workerTests(stage)

    it.concurrent('is measured in the allocation, to the CPU second and the megabyte', async () => {
      using box = sandbox()
      const jobs = fc.sample(anyJob, 6)
      const spec = flow(
        box,
        `resource_monitor: { granularity: time_series, sample_interval_seconds: 0.2 }
slurm_schedulers: [{ name: main, partition: main, account: root, walltime: "00:05:00", extra: --comment="two words" }]
jobs:
${jobs.map((job, index) => `  - { name: j${index}, command: "${commandOf(job, index)}", ${big} }`).join('\n')}
`,
      )
      const ran = await run(box, spec)
      expect(ran.code, ran.stderr).toBe(0)
      const told = (await results(box)) as readonly (ListedResult & { peak_memory_bytes: number })[]
      const measured = new Map(told.map((result) => [result.job_name, result]))
      const truths = jobs.map(({ kind, parts }, index) => {
        const reports = parts.map((_, part) => `burn-${index}-${part}.json`)
        if (kind === 'memory') return sum(parts) * 2 ** 20
        return sum(reports.map((name) => truth(box.path(name)).cpuSeconds))
      })
      const wrong = jobs.flatMap((job, index) => {
        const { cpu_seconds: cpu, peak_memory_bytes: peak } = measured.get(`j${index}`) ?? {}
        const figure = (job.kind === 'cpu' ? cpu : peak) ?? NaN
        const difference = figure / (truths[index] ?? NaN) - 1
        const isRight = Math.abs(difference) < (job.kind === 'cpu' ? 0.02 : 0.05)
        return isRight ? [] : [{ ...job, difference }]
      })
      expect(wrong).toEqual([])
      const compared = await box.jobmeter(
        ['slurm', 'compare', '1', '--format', 'json'],
        stage.onIt(),
      )
      expect(compared.code, compared.stderr).toBe(0)
      const rows = JSON.parse(compared.stdout) as {
        job_names: string[]
        sacct_cpu_seconds: number
      }[]
      expect(rows.flatMap(({ job_names: names }) => names).toSorted()).toEqual(
        jobs.map((_, index) => `j${index}`),
      )
      for (const { job_names: names, sacct_cpu_seconds: cpu } of rows) {
        const index = Number(names[0]?.slice(1))
        const least = jobs[index]?.kind === 'cpu' ? (truths[index] ?? NaN) * 0.9 : 0
        expect(cpu).toBeGreaterThanOrEqual(least)
      }
      const longest = jobs.findIndex(({ kind }) => kind === 'memory')
      const series = await box.jobmeter(['series', `j${longest}`, '--format', 'json'])
      const { samples } = JSON.parse(series.stdout) as { samples: object[] }
      expect(samples.length).toBeGreaterThan(4)
    })

    it.concurrent('goes by arrays where jobs are alike, each job once', async () => {
      using box = sandbox()
      const spec = flow(
        box,
        `jobs:\n  - { name: "j{i}", command: "echo {i} >> ran; test {i} -ne 7", parameters: { i: "1:16" }, ${small} }\n`,
      )
      const ran = await run(box, spec)
      expect(ran.code, ran.stderr).toBe(1)
      const told = await results(box)
      expect(told.map(({ return_code }) => return_code)).toEqual(
        told.map(({ job_name }) => (job_name === 'j7' ? 1 : 0)),
      )
      expect(
        lines(box.path('ran'))
          .map(Number)
          .toSorted((a, b) => a - b),
      ).toEqual(Array.from({ length: 16 }, (_, index) => index + 1))
    })

    it.concurrent('has 200 jobs pulled by the workers of one allocation', async () => {
      using box = sandbox()
      const spec = flow(
        box,
        `slurm_schedulers: [{ name: short, nodes: 1, walltime: "00:05:00", mem: 1g, extra: --cpus-per-task=3 }]
actions: [{ trigger_type: on_workflow_start, action_type: schedule_nodes, scheduler: short }]
jobs:
  - { name: "j{i}", command: "echo $SLURM_JOB_ID >> ran", parameters: { i: "1:200" }, resource_requirements: { num_cpus: 1 } }
`,
      )
      const ran = await run(box, spec)
      expect(ran.code, ran.stderr).toBe(0)
      expect(lines(box.path('ran'))).toHaveLength(200)
      expect(new Set(lines(box.path('ran'))).size).toBe(1)
    })

    it.concurrent('goes on where its runner was killed, and runs nothing twice', async () => {
      using box = sandbox()
      const spec = flow(
        box,
        `jobs:
  - { name: "j{i}", command: "echo {i} >> ran; until [ -e go ]; do sleep 0.1; done", parameters: { i: "1:3" }, ${small} }
  - { name: after, command: echo after >> ran, depends_on_regexes: ["^j"], ${small} }
`,
      )
      const first = box.start(stage.words(spec), stage.onIt())
      await until(() => ranIn(box) === 3)
      process.kill(first.pid, 'SIGKILL')
      await first.ended
      const status = await box.jobmeter(['workflows', 'status', '1'])
      expect(status.stdout).toContain('3 jobs may still run in Slurm')
      expect(status.stdout).toContain('jobmeter run --resume 1')
      writeFileSync(box.path('go'), '')
      const resumed = await box.jobmeter(
        ['run', '--resume', '1', '--slurm-poll', '1s'],
        stage.onIt(),
      )
      expect(resumed.code, resumed.stderr).toBe(0)
      expect(await states(box)).toEqual({
        j1: 'success',
        j2: 'success',
        j3: 'success',
        after: 'success',
      })
      expect(lines(box.path('ran')).toSorted()).toEqual(['1', '2', '3', 'after'])
      expect((await results(box)).map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1])
    })

    it.concurrent('ends its jobs when it is stopped', async () => {
      using box = sandbox()
      const spec = flow(
        box,
        `jobs:
  - { name: stopped, command: "trap 'echo asked > asked; exit 9' TERM; touch there; while :; do sleep 0.1; done", ${small} }
  - { name: never, command: "true", resource_requirements: { num_cpus: 16, memory: 300m } }
`,
      )
      const ran = box.start(stage.words(spec), stage.onIt())
      await until(() => stage.running('stopped') !== '')
      await until(() => fileOf(box, 'there') !== null)
      ran.signal('SIGTERM')
      const end = await ran.ended
      expect(end.code, end.stderr).toBe(143)
      expect(fileOf(box, 'asked')).toBe('asked\n')
      expect(await states(box)).toEqual({ stopped: 'cancelled', never: 'cancelled' })
      expect(stage.slurm.call('squeue', '-h', '-n', 'stopped,never', '-o', '%i')).toBe('')
    })

    it.concurrent('ends what a killed runner has left when it is cancelled', async () => {
      using box = sandbox()
      const spec = flow(
        box,
        `jobs: [{ name: left, command: "touch there; sleep 300", ${small} }]\n`,
      )
      const first = box.start(stage.words(spec), stage.onIt())
      await until(() => fileOf(box, 'there') !== null)
      process.kill(first.pid, 'SIGKILL')
      await first.ended
      const cancelled = await box.jobmeter(['workflows', 'cancel', '1'], stage.onIt())
      expect(cancelled.code, cancelled.stderr).toBe(0)
      expect(await states(box)).toEqual({ left: 'cancelled' })
      await until(() => stage.running('left') === '')
    })

    it.concurrent('submits nothing twice where the controller took a job and did not say so', async () => {
      using box = sandbox()
      const lost =
        'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation'
      script(
        box,
        'sbatch',
        `/usr/bin/env PATH="\${PATH#*:}" sbatch "$@" > told || exit 1
[ "$1" = --version ] || [ -e lost ] && exec cat told
touch lost
echo "${lost}" >&2
exit 1`,
      )
      const job = `{ name: once, command: "echo $SLURM_JOB_ID >> ran", ${small} }`
      const ran = await stage.run(box, [flow(box, `jobs: [${job}]\n`)], onPath(box))
      expect(ran.code, ran.stderr).toBe(0)
      expect(ran.stderr).toContain('Socket timed out')
      expect(fileOf(box, 'told')).toBe(fileOf(box, 'ran'))
    })

    it.concurrent('says at once which job no worker can take, and has room for the largest', async () => {
      using box = sandbox()
      const spec = flow(
        box,
        `slurm_schedulers: [{ name: short, walltime: "00:05:00", mem: 1g }]
jobs:
  - { name: wide, command: echo $SLURM_CPUS_ON_NODE > cpus, resource_requirements: { num_cpus: 2 } }
  - { name: fat, command: "true", resource_requirements: { num_cpus: 1, memory: 2g } }
`,
      )
      const ran = await run(box, spec, '--slurm-by', 'workers')
      expect(ran.stderr).toMatch(
        /fat .*no worker can take it: it asks for 2.0 GB of memory where the allocation has 1.0 GB \(Slurm job \d+\)\. Ask for more with mem: of its entry in slurm_schedulers/,
      )
      expect(await states(box)).toEqual({ wide: 'success', fat: 'error' })
      expect(lines(box.path('cpus'))).toEqual(['2'])
      const shown = await box.jobmeter(['show', 'fat'])
      expect(shown.stdout).not.toContain('the runner was killed')
    })

    it.concurrent('leaves alone what another run in the same folder still needs', async () => {
      using box = sandbox()
      const held = `name: held\nslurm_defaults: { hold: true }\njobs:\n  - { name: "j{i}", command: "echo {i} >> ran", parameters: { i: "1:2" }, ${small} }\n`
      writeFileSync(box.path('held.yaml'), held)
      const waiting = box.start(stage.words('held.yaml'), stage.onIt())
      const numberOf = (): string => stage.slurm.call('squeue', '-h', '-n', 'held', '-o', '%F')
      await until(() => numberOf() !== '')
      await waiting.saw('Slurm will not start job')
      const short = await run(box, flow(box, `jobs: [{ name: a, command: "true", ${small} }]\n`))
      expect(short.code, short.stderr).toBe(0)
      stage.slurm.call('scontrol', 'release', numberOf())
      const end = await waiting.ended
      expect(end.code, end.stderr).toBe(0)
      expect(end.stderr).toContain('as things stand (JobHeldUser)')
      expect(lines(box.path('ran')).toSorted()).toEqual(['1', '2'])
      expect(readdirSync(box.path('output/attempts'))).toEqual([])
    })

    it.concurrent('says what is in the way', async () => {
      using box = sandbox()
      const spec = flow(
        box,
        `slurm_schedulers: [{ name: x, partition: nowhere }]\njobs: [{ name: a, command: "true" }]\n`,
      )
      const refused = await run(box, spec)
      expect(refused.stderr).toContain('sbatch said: invalid partition specified: nowhere')
      const bare = await box.jobmeter(stage.words(spec), { env: { PATH: '/nowhere' } })
      expect(bare.stderr).toContain('sbatch was not found')
      const broken = await run(box, spec, '--output-dir', 'out\nput')
      expect(broken.stderr).toContain('/out\\nput" has a line break in its name')
      // A folder that only this side sees.
      const hidden = 'mkdir -p out && mount -t tmpfs none out && exec "$@"'
      const seen = flow(box, `jobs: [{ name: a, command: "true", ${small} }]\n`)
      const unshared = await box.jobmeter(stage.words(seen, '--output-dir', 'out'), {
        ...stage.onIt(),
        within: ['unshare', '-m', 'sh', '-c', hidden, 'sh'],
      })
      expect(unshared.stderr).toContain('does not see the output directory of this run')
    })

    it.concurrent('follows a job that was submitted without it, and leaves a word in the accounting', async () => {
      using box = sandbox()
      const jobScript = box.path('job.sh')
      const gate = box.path('gate')
      spawnSync('mkfifo', [gate])
      writeFileSync(
        jobScript,
        `#!/bin/sh\nread word < ${gate}\n${workload('burn')} 1000 ${box.path('burn.json')}\nexit 4\n`,
      )
      const id = stage.slurm.call(
        'sbatch',
        '--parsable',
        '-J',
        'plain',
        '-o',
        '/dev/null',
        '--mem=200M',
        '--hold',
        jobScript,
      )
      const words = ['--wait', '90s', '--interval', '0.2', '--admin-comment', '--format', 'json']
      const attached = box.start(['slurm', 'attach', id, ...words], stage.onIt())
      stage.slurm.call('scontrol', 'release', id)
      // It does nothing before it is followed, or it could be over first.
      await expect.poll(() => box.history()).toMatchObject([{ status: 'running' }])
      writeFileSync(gate, '\n')
      const end = await attached.ended
      expect(end.code, end.stderr).toBe(0)
      const [record] = await box.history()
      expect(record).toMatchObject({ name: 'plain', status: 'failed', returncode: 4 })
      const { cpuSeconds } = truth(box.path('burn.json'))
      const measured = record?.resource_usage.cpu_total_seconds ?? 0
      expect(Math.abs(measured - cpuSeconds)).toBeLessThan(0.1)
      expect(commentOf(id)['cpu_seconds']).toBeCloseTo(cpuSeconds, 0)
    })

    describe.concurrent('as an executor', () => {
      executorContract('Slurm', () => {
        const system = realSystem({ ownsProcess: false })
        const commands = new SlurmCommands(system, { ...process.env, SLURM_CONF: stage.slurm.conf })
        const spec = new SlurmSpec({
          name: 'flow',
          kept: { slurm_defaults: { mem: '50M' } },
          jobs: [],
        })
        const directory = () => slow.path('attempts')
        const make = (): RemoteExecutor => {
          const trouble = (): void => {}
          const submitter = new Submitter(system, commands, {
            program: programCommand,
            directory,
            spec: () => spec,
            byArrays: () => false,
            trouble,
          })
          const settings = { pollSeconds: 1, directory, trouble }
          const site = new SlurmSite(system, commands, { submitter, workers: () => null }, settings)
          const patience = { afterSeconds: 1, giveUpSeconds: 60 }
          return new RemoteExecutor(system, {
            name: 'slurm',
            site,
            directory,
            metrics: () => [],
            patience,
          })
        }
        return { first: make(), second: make(), owner: localExecutors().owner }
      })
    })

    it('measures every job of a site by its prolog and epilog', async () => {
      using box = sandbox()
      const [prolog, epilog] = [box.path('prolog.sh'), box.path('epilog.sh')]
      const words = ['--ledger', box.path('site.db'), '--interval', '1']
      writeFileSync(prolog, (await box.jobmeter(['slurm', 'prolog', ...words])).stdout)
      writeFileSync(epilog, (await box.jobmeter(['slurm', 'epilog'])).stdout)
      for (const path of [prolog, epilog]) chmodSync(path, 0o755)
      chmodSync(box.directory, 0o755)
      const before = readFileSync(stage.slurm.conf, 'utf8')
      writeFileSync(stage.slurm.conf, `${before}Prolog=${prolog}\nEpilog=${epilog}\n`)
      stage.slurm.call('scontrol', 'reconfigure')
      const id = stage.slurm.submit('-J', 'theirs', '--mem=50M', '--wrap', 'sleep 2')
      // Jobs of other tests are measured too.
      const records = async () => {
        const db = box.path('site.db')
        const listed = await box.jobmeter(['history', '--all', '--format', 'json', '--db', db])
        const told = listed.code === 0 ? listed.stdout : '[]'
        const all = JSON.parse(told) as { name: string; status: string }[]
        return all.filter(({ name }) => name === 'theirs')
      }
      await expect.poll(records).toMatchObject([{ name: 'theirs', status: 'success' }])
      writeFileSync(stage.slurm.conf, before)
      stage.slurm.call('scontrol', 'reconfigure')
      await expect.poll(() => commentTold(id)).toContain('jobmeter')
      expect(commentOf(id)['seconds']).toBeGreaterThan(1.7)
    })

    it('has what Slurm did to jobs told apart, and tried again by the rules', async () => {
      await until(() => ['cancelled', 'requeued', 'preempted'].every((name) => stage.running(name)))
      stage.slurm.call('scancel', stage.running('cancelled'))
      stage.slurm.call('scontrol', 'requeue', stage.running('requeued'))
      stage.slurm.submit(
        '-A',
        'physics',
        '-p',
        'urgent',
        '--gres=gpu:1',
        '--mem=10M',
        '--wrap',
        'sleep 1',
      )
      const end = await slowRun.ended
      const told = await slow.jobmeter(['jobs', 'list', '1', '--format', 'json'])
      expect(told.code).toBe(0)
      expect(await states(slow), end.stderr).toEqual({
        late: 'timeout',
        hungry: 'failed',
        cancelled: 'cancelled',
        requeued: 'success',
        preempted: 'success',
      })
      for (const reason of [
        /late timeout in \S+ \S+: Slurm ended job \d+ at its time limit \(TIMEOUT\)/,
        /hungry failed in .*: out of memory: Slurm held job \d+ to the memory it asked for/,
        /cancelled cancelled in .*: job \d+ was cancelled in Slurm/,
        /requeued interrupted in .*: Slurm put job \d+ back into its queue \(requeue\).*trying again/,
        /preempted interrupted in .*: Slurm ended job \d+ for one that goes first.*trying again/,
      ])
        expect(end.stderr).toMatch(reason)
    })
  },
)

const ranIn = (box: Sandbox): number => (fileOf(box, 'ran') ?? '').split('\n').length - 1
