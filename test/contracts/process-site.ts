import { spawn, type ChildProcess } from 'node:child_process'
import { programCommand } from '../program.ts'
import type {
  PlacedOrder,
  Site,
  SiteState,
  SiteTask,
  Submission,
} from '../../src/workflow/executors/remote/site.ts'

/** A site of processes of this machine: each attempt is run by a jobmeter of its own, which outlives whoever ordered it. */
export class ProcessSite implements Site {
  readonly gatherSeconds = 0
  readonly stateSeconds = 0.1
  readonly lagSeconds = 0.3
  readonly #processes = new Map<string, ChildProcess>()

  submit(orders: readonly PlacedOrder[]): Promise<readonly Submission[]> {
    const [node = '', ...words] = programCommand
    return Promise.resolve(
      orders.map(({ folder }) => {
        const child = spawn(node, [...words, 'attempt', folder.path], {
          stdio: 'ignore',
          detached: true,
        })
        this.#processes.set(folder.taskId, child)
        return { kind: 'taken', site: { pid: child.pid ?? 0 } }
      }),
    )
  }

  end(): Promise<void> {
    return Promise.resolve()
  }

  states(tasks: readonly SiteTask[]): Promise<ReadonlyMap<string, SiteState>> {
    return Promise.resolve(
      new Map(
        tasks.flatMap(({ taskId }): [string, SiteState][] => {
          const child = this.#processes.get(taskId)
          if (child === undefined) return []
          const isOver = child.exitCode !== null || child.signalCode !== null
          const judge = () => ({ gone: 'its process is gone' })
          return [[taskId, isOver ? { kind: 'over', judge } : { kind: 'alive' }]]
        }),
      ),
    )
  }

  /** The process that looks after an attempt. */
  pidOf(taskId: string): number {
    return this.#processes.get(taskId)?.pid ?? 0
  }

  needsUs(): boolean {
    return false
  }

  isToBeJudged(): boolean {
    return false
  }

  close(): void {}
  tidy(): void {}
}
