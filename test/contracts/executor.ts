import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Owner } from '../../src/model/machine.ts'
import type {
  AttemptOrder,
  AttemptResult,
  Executor,
  ExecutorListener,
} from '../../src/workflow/run/executor.ts'
import { until } from '../workflow/flow.ts'
import { lives } from './launch.ts'
import { shellOrder } from './orders.ts'

/** An executor on the real machine, and the one that a runner has which comes after the first has died. */
export interface ExecutorPair {
  readonly first: Executor
  readonly second: Executor
  readonly owner: Owner
}

/** Everything that was told of each attempt, in the order in which it came. */
class Told implements ExecutorListener {
  readonly handles = new Map<string, object>()
  readonly starts = new Map<string, number>()
  readonly ends = new Map<string, AttemptResult[]>()
  readonly unknowns = new Set<string>()
  readonly gones = new Set<string>()

  accepted(taskId: string, handle: object): void {
    this.handles.set(taskId, handle)
  }
  started(taskId: string): void {
    this.starts.set(taskId, (this.starts.get(taskId) ?? 0) + 1)
  }
  sampled(): void {}
  devicesSampled(): void {}
  ended(taskId: string, result: AttemptResult): void {
    this.ends.set(taskId, [...(this.ends.get(taskId) ?? []), result])
  }
  gone(taskId: string): void {
    this.gones.add(taskId)
  }
  unknown(taskId: string): void {
    this.unknowns.add(taskId)
  }
  note(): void {}
  trouble(): void {}
}

/** What a runner may rely on, wherever its attempts run. */
export function executorContract(name: string, open: () => ExecutorPair): void {
  describe(`the ${name} executor`, () => {
    let pair: ExecutorPair
    let told: Told
    /** What the second was told: attempts of several tests, which may run at the same time. */
    let later: Told
    let folder: string
    let ids = 0
    beforeAll(() => {
      pair = open()
      told = new Told()
      later = new Told()
      folder = mkdtempSync(join(tmpdir(), 'jobmeter-executor-'))
      pair.first.tellTo(told)
      pair.second.tellTo(later)
    })
    afterAll(() => {
      pair.first.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const order = (script: string, differences: Partial<AttemptOrder> = {}): AttemptOrder =>
      shellOrder(`${process.pid}${++ids}`.padStart(32, '0'), script, {
        workingDirectory: folder,
        ...differences,
      })
    /** Sends it, and answers how to send it once more where it may get lost on the way. */
    const send = (request: () => void): (() => void) => {
      request()
      return pair.first.asking === null ? () => {} : request
    }
    const start = (made: AttemptOrder) => send(() => pair.first.start(made))
    const cancel = (taskId: string, request: number) =>
      send(() => pair.first.cancel(taskId, 'SIGTERM', request))
    /** Waits for word, and asks for it where it may get lost. */
    const hear = (taskId: string, has: () => boolean, again: () => void): Promise<void> =>
      until(() => {
        if (has()) return true
        again()
        pair.first.asking?.ask([taskId])
        return false
      })
    const endOf = async (taskId: string, again: () => void): Promise<AttemptResult> => {
      await hear(taskId, () => told.ends.has(taskId), again)
      const [end] = told.ends.get(taskId) ?? []
      if (end === undefined) throw new Error('it has no end')
      return end
    }
    const written = (file: string): string =>
      existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : ''
    const pid = (taskId: string): number => Number(written(taskId))
    /** A process that is there, and was told to be. */
    const running = async (script: string): Promise<string> => {
      const made = order(`echo $$ > $JOBMETER_TASK_ID; ${script}`)
      const { taskId } = made
      await hear(taskId, () => told.starts.has(taskId) && pid(taskId) > 0, start(made))
      return taskId
    }

    it('tells how an attempt ended, and never otherwise', async () => {
      const made = order('exit 3')
      const again = start(made)
      expect(told.ends.has(made.taskId), 'told from within the call').toBe(false)
      const { outcome, usage } = await endOf(made.taskId, again)
      expect(outcome).toMatchObject({ status: 'failed', exitCode: 3, signal: null })
      expect(usage.cpuTotalSeconds.value).not.toBeNull()
      const other = order('sleep 0.2')
      const askToo = start(other)
      await endOf(other.taskId, () => {
        askToo()
        pair.first.asking?.ask([made.taskId])
      })
      for (const each of told.ends.get(made.taskId) ?? []) expect(each.outcome).toEqual(outcome)
    })

    it('tells of a command that cannot be started as of one that ended', async () => {
      const made = order('', { command: ['no-such-command-anywhere'] })
      const again = start(made)
      expect(told.ends.has(made.taskId), 'told from within the call').toBe(false)
      const { outcome } = await endOf(made.taskId, again)
      expect(outcome).toMatchObject({ status: 'error', exitCode: 127 })
    })

    it('tells that one runs, and how to find it again, and ends it', async () => {
      const taskId = await running('exec sleep 60')
      await hear(
        taskId,
        () => told.handles.has(taskId),
        () => {},
      )
      expect(JSON.parse(JSON.stringify(told.handles.get(taskId)))).toEqual(told.handles.get(taskId))
      expect((await endOf(taskId, cancel(taskId, 1))).outcome).toMatchObject({
        status: 'cancelled',
        reason: 'cancelled by SIGTERM',
      })
      expect(lives(pid(taskId))).toBe(false)
    })

    it('leaves one that was asked to end its time, and kills at the second request', async () => {
      const taskId = await running("trap 'echo asked > asked' TERM; while :; do sleep 0.05; done")
      await hear(taskId, () => written('asked') !== '', cancel(taskId, 1))
      expect(told.ends.has(taskId)).toBe(false)
      expect((await endOf(taskId, cancel(taskId, 2))).outcome.signal).toBe('SIGKILL')
    })

    it('ends one that is cancelled before it has started', async () => {
      const made = order('exec sleep 60')
      const again = start(made)
      const cancelAgain = cancel(made.taskId, 1)
      const { outcome } = await endOf(made.taskId, () => {
        again()
        cancelAgain()
      })
      expect(outcome.status).toBe('cancelled')
    })

    it('starts one that is handed over again once, where it may get lost', async ({ skip }) => {
      skip(pair.first.asking === null, 'nobody hands it over again')
      const made = order('echo once >> once')
      const again = start(made)
      await endOf(made.taskId, again)
      const other = order('sleep 0.2')
      start(other)
      await endOf(other.taskId, () => {
        again()
        pair.first.start(other)
      })
      expect(written('once')).toBe('once\n')
    })

    it('says that it does not know what has not arrived', async ({ skip }) => {
      skip(pair.first.asking === null, 'nobody asks')
      const { taskId } = order('true')
      await hear(
        taskId,
        () => told.unknowns.has(taskId),
        () => {},
      )
      expect(told.ends.has(taskId)).toBe(false)
    })

    it('goes on with what a runner that died has left, or has ended it', async () => {
      const taskId = await running('while [ ! -e go ]; do sleep 0.05; done; exit 7')
      const { second, owner } = pair
      const note = JSON.stringify({ ...told.handles.get(taskId), taskId })
      const left = [{ taskId, owner, isScript: false, note }]
      if (second.adopt(left).length === 0) {
        await until(() => !lives(pid(taskId)))
        return
      }
      expect(lives(pid(taskId))).toBe(true)
      writeFileSync(join(folder, 'go'), '')
      await until(() => {
        second.adopt(left)
        return later.ends.has(taskId)
      })
      expect(later.ends.get(taskId)?.[0]?.outcome.exitCode).toBe(7)
      expect(later.gones.has(taskId)).toBe(false)
    })

    it('never starts what had not arrived when its runner died', async () => {
      const { second, owner } = pair
      const made = order('echo late > late')
      const left = [{ taskId: made.taskId, owner, isScript: false, note: null }]
      if (second.adopt(left).length === 0) return
      await until(() => {
        second.adopt(left)
        return later.gones.has(made.taskId)
      })
      const other = order('sleep 0.2')
      await until(() => {
        second.start(made)
        second.start(other)
        return later.ends.has(other.taskId)
      })
      expect(written('late')).toBe('')
    })
  })
}
