import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { JobCgroups } from '../../src/launch/job-cgroups.ts'
import { launch } from '../../src/launch/launch.ts'
import type { LaunchRequest, LaunchResult } from '../../src/launch/request.ts'
import { unavailable } from '../../src/model/reading.ts'
import { shippedGauges } from '../../src/meter/gauges/shipped.ts'
import { Meter } from '../../src/meter/meter.ts'
import { readHierarchy } from '../../src/sensors/cgroup/hierarchy.ts'
import type { System } from '../../src/system/system.ts'
import { workload, workloadsMissing } from '../program.ts'

/** What one process needs to run jobs, one after the other or at once. */
export interface Launcher {
  readonly system: System
  readonly meter: Meter
  readonly cgroups: JobCgroups
}

export function launcherOn(
  system: System,
  { withCgroups = true, gauges = shippedGauges } = {},
): Launcher {
  const { files } = system
  const bare = { ...system, files: { ...files, readText: () => unavailable('not in this test') } }
  return {
    system,
    meter: new Meter(system, gauges),
    cgroups: new JobCgroups(withCgroups ? system : bare),
  }
}

/** Runs one command as a job and waits for its end. */
export async function runJob(
  { system, meter, cgroups }: Launcher,
  command: readonly string[],
  differences: Partial<LaunchRequest> = {},
): Promise<LaunchResult> {
  const launched = launch(system, meter, cgroups, {
    ...plainRequest(system, command),
    ...differences,
  })
  return launched.kind === 'running' ? launched.job.done : launched.result
}

const plainRequest = (system: System, command: readonly string[]): LaunchRequest => ({
  taskId: system.randomId(),
  command,
  environment: process.env,
  workingDirectory: tmpdir(),
  group: 'own',
  intervalSeconds: 1,
  timeoutSeconds: null,
  memoryLimitBytes: null,
  graceSeconds: 1,
  stragglers: 'leave',
  ownCgroup: true,
  onSamples: () => {},
})

/** Whether a process is there and not a zombie. */
export function lives(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

/** Cgroups that this process made and that are still there. */
function cgroupsLeft(system: System): string[] {
  const hierarchy = readHierarchy(system.files)
  if (hierarchy.kind !== 'ok') return []
  const { v1, v2 } = hierarchy.value
  const homes = [v2, ...v1.values()].flatMap((place) => (place === null ? [] : [place.directory]))
  const places = homes.flatMap((home) => [home, join(home, '..')])
  return places.flatMap((place) => {
    const names = system.files.list(place)
    const ours = `jobmeter-${process.pid}-`
    return names.kind === 'ok' ? names.value.filter((name) => name.startsWith(ours)) : []
  })
}

/** What holds for jobs on the real machine, whichever way their processes are started. */
export function launchContract(name: string, open: () => Launcher): void {
  describe(`${name} on the real machine`, () => {
    let launcher: Launcher
    let folder: string
    beforeAll(() => {
      launcher = open()
      folder = mkdtempSync(join(tmpdir(), 'jobmeter-launch-'))
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))
    const run = (command: readonly string[], differences: Partial<LaunchRequest> = {}) =>
      runJob(launcher, command, differences)
    const sh = (script: string, differences: Partial<LaunchRequest> = {}) =>
      run(['sh', '-c', script], differences)
    const file = (called: string, text: string, mode: number) => {
      writeFileSync(join(folder, called), text)
      chmodSync(join(folder, called), mode)
      return join(folder, called)
    }

    it('tells success and every other exit code', async () => {
      expect((await run(['true'])).outcome).toEqual({
        status: 'success',
        exitCode: 0,
        signal: null,
        reason: null,
        stragglers: [],
      })
      for (const code of [1, 2, 126, 127, 255])
        expect((await sh(`exit ${code}`)).outcome).toMatchObject({
          status: 'failed',
          exitCode: code,
          signal: null,
        })
    })

    it.each([
      { signal: 'SIGTERM', code: 143 },
      { signal: 'SIGKILL', code: 137 },
      { signal: 'SIGSEGV', code: 139 },
      { signal: 'SIGPIPE', code: 141 },
      { signal: 'SIGUSR1', code: 138 },
    ])('names $signal', async ({ signal, code }) => {
      expect((await sh(`kill -${signal.slice(3)} $$`)).outcome).toMatchObject({
        status: 'failed',
        exitCode: code,
        signal,
        reason: `ended by ${signal}`,
      })
    })

    it('answers as a shell does for a command that cannot be started', async () => {
      const plain = file('plain', 'exit 3\n', 0o644)
      const cases: [string, number][] = [
        ['no-such-command-anywhere', 127],
        [join(folder, 'no-such-file'), 127],
        [plain, 126],
        [folder, 126],
      ]
      for (const [command, exitCode] of cases) {
        const { outcome, usage, durationSeconds } = await run([command])
        expect(outcome).toMatchObject({ status: 'error', exitCode, signal: null })
        expect(outcome.reason).toContain(command)
        expect(usage.cpuTotalSeconds).toMatchObject({ value: null })
        expect(durationSeconds).toBe(0)
      }
    })

    it('runs a script without a first line that names its shell', async () => {
      const script = file('bare', 'test "$1" = "a b" && exit 9\n', 0o755)
      expect((await run([script, 'a b'])).outcome.exitCode).toBe(9)
    })

    it('starts the job where it is told, with its environment and its mark', async () => {
      const seen = join(folder, 'seen')
      const result = await sh('echo "$PWD $COLOUR $JOBMETER_TASK_ID" > seen', {
        workingDirectory: folder,
        environment: { PATH: process.env['PATH'], COLOUR: 'blue', NOTHING: undefined },
        taskId: 'f00',
      })
      expect(result.outcome.status).toBe('success')
      expect(readFileSync(seen, 'utf8')).toBe(`${folder} blue f00\n`)
    })

    it('leaves no cgroup behind, whether the job ran or not', async () => {
      await sh('exit 0')
      await run(['no-such-command-anywhere'])
      expect(cgroupsLeft(launcher.system)).toEqual([])
    })

    /** Without libc and without a cgroup, a process that loses its parent between looks is lost to us. */
    const findsOrphans = (): boolean => {
      if (launcher.system.processes.adoptsOrphans) return true
      const cgroup = launcher.cgroups.make()
      if (cgroup.kind === 'ok') cgroup.value.remove()
      return cgroup.kind === 'ok'
    }

    const straggler = 'sleep 30 </dev/null >/dev/null 2>&1 &'

    describe.each([
      { job: 'a job that is measured', intervalSeconds: 1 },
      { job: 'a job that is not measured', intervalSeconds: null },
    ])('of $job', ({ intervalSeconds }) => {
      it('leaves stragglers alone and names them', async ({ skip }) => {
        skip(!findsOrphans(), 'nobody would find them')
        const { outcome } = await sh(`${straggler} exit 4`, { intervalSeconds })
        expect(outcome).toMatchObject({
          status: 'failed',
          exitCode: 4,
          stragglers: [{ command: 'sleep 30' }],
        })
        const pid = outcome.stragglers[0]?.pid ?? 0
        expect(lives(pid)).toBe(true)
        process.kill(pid, 'SIGKILL')
      })

      it('kills stragglers where it is told to', async ({ skip }) => {
        skip(!findsOrphans(), 'nobody would find them')
        const { outcome } = await sh(`${straggler} echo $! > killed`, {
          stragglers: 'kill',
          intervalSeconds,
          workingDirectory: folder,
        })
        expect(outcome).toMatchObject({ status: 'success', exitCode: 0 })
        expect(lives(Number(readFileSync(join(folder, 'killed'), 'utf8')))).toBe(false)
      })

      it('waits for stragglers where it is told to, and counts their time', async ({ skip }) => {
        skip(!findsOrphans(), 'nobody would find them')
        const { outcome, durationSeconds } = await sh('sleep 0.5 </dev/null >/dev/null 2>&1 &', {
          stragglers: 'wait',
          intervalSeconds,
        })
        expect(outcome).toMatchObject({ status: 'success', stragglers: [] })
        expect(durationSeconds).toBeGreaterThanOrEqual(0.5)
        expect(durationSeconds).toBeLessThan(1)
      })

      it('ends a job over its time with every child that it sent away', async ({ skip }) => {
        skip(!findsOrphans(), 'nobody would find them')
        const script =
          'setsid sh -c \'sh -c "echo \\$\\$ > daemon; exec sleep 30" & exit\' </dev/null; sleep 30'
        const { outcome, durationSeconds } = await sh(script, {
          timeoutSeconds: 0.5,
          intervalSeconds,
          workingDirectory: folder,
        })
        expect(outcome).toMatchObject({
          status: 'timeout',
          exitCode: 124,
          reason: 'over its time limit of 0.5 s',
          stragglers: [],
        })
        expect(durationSeconds).toBeLessThan(5)
        expect(lives(Number(readFileSync(join(folder, 'daemon'), 'utf8')))).toBe(false)
      })

      it('kills those who left the group of a job over its time, also if its main process obeys', async ({
        skip,
      }) => {
        skip(!findsOrphans(), 'nobody would find them')
        const deaf = (called: string): string =>
          `sh -c 'trap "" TERM; echo $$ > ${called}; exec sleep 30' &`
        await sh(`setsid ${deaf('away')} ${deaf('deaf')} wait`, {
          timeoutSeconds: 0.5,
          graceSeconds: 0.2,
          intervalSeconds,
          workingDirectory: folder,
        })
        for (const called of ['away', 'deaf'])
          expect(lives(Number(readFileSync(join(folder, called), 'utf8')))).toBe(false)
      })

      it('passes a signal of the user on to those who left the group', async ({ skip }) => {
        skip(!findsOrphans(), 'nobody would find them')
        const ready = join(folder, 'ready')
        for (const called of ['ready', 'heard']) rmSync(join(folder, called), { force: true })
        const launched = launch(launcher.system, launcher.meter, launcher.cgroups, {
          ...plainRequest(launcher.system, [
            'sh',
            '-c',
            'setsid sh -c \'trap "echo heard > heard; exit" TERM; echo > ready; while :; do sleep 0.05; done\' & wait; wait',
          ]),
          graceSeconds: 20,
          intervalSeconds,
          workingDirectory: folder,
        })
        if (launched.kind !== 'running') throw new Error('not started')
        await vi.waitFor(() => expect(existsSync(ready)).toBe(true), 10_000)
        launched.job.signal('SIGTERM', false)
        expect((await launched.job.done).outcome).toMatchObject({ status: 'cancelled' })
        expect(readFileSync(join(folder, 'heard'), 'utf8')).toBe('heard\n')
      })
    })

    it('kills a job that does not heed its end after the grace time', async () => {
      const { outcome, durationSeconds } = await sh("trap '' TERM; sleep 30 & wait; sleep 30", {
        timeoutSeconds: 0.2,
        graceSeconds: 0.3,
      })
      expect(outcome).toMatchObject({ status: 'timeout', signal: 'SIGKILL' })
      expect(durationSeconds).toBeGreaterThanOrEqual(0.45)
      expect(durationSeconds).toBeLessThan(5)
    })

    it.skipIf(workloadsMissing)('ends a job over its memory limit and says so', async () => {
      const limit = 60 * 2 ** 20
      const { outcome } = await run(['sh', '-c', `${workload('hog')} 200 20000 > /dev/null`], {
        memoryLimitBytes: limit,
      })
      expect(outcome.status).toBe('failed')
      expect(outcome.reason).toMatch(/^out of memory: .*60\.0 MB/)
    })

    it('measures a job that it only waits for as far as it can', async () => {
      const { usage, samples, outline } = await sh('exit 0', { intervalSeconds: null })
      expect(samples).toMatchObject({ collected: 0, intervalSeconds: null })
      expect(outline).toEqual([])
      expect(usage.memoryPeakBytes).toEqual({ value: null, why: 'monitoring was turned off' })
    })

    it('measures a job of a second with figures that fit each other', async () => {
      // So much work, however long a busy machine takes for it, and a second in which it is looked at.
      const busy = 'i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; sleep 1'
      const { usage, durationSeconds, samples } = await sh(busy)
      const cpu = usage.cpuTotalSeconds.value ?? NaN
      expect(cpu).toBeGreaterThan(0.2)
      expect(cpu).toBeLessThan(durationSeconds * launcher.system.host.onlineCores)
      expect(usage.memoryPeakBytes.value).toBeGreaterThan(100_000)
      expect(usage.processesPeak.value).toBeGreaterThanOrEqual(1)
      expect(samples.collected).toBeGreaterThan(4)
    })
  })
}
