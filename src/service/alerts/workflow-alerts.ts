import type { RunObserver } from '../../workflow/run/events.ts'
import type { AttemptOrder, Executor, ExecutorListener } from '../../workflow/run/executor.ts'
import type { JobAlerts } from './job-alerts.ts'
import type { KnownJob, KnownMachine } from './known-job.ts'

type Watch = (job: KnownJob, machine: KnownMachine) => JobAlerts

/** The alerts of a workflow's attempts: it hears what their executor tells the runner. */
export class WorkflowAlerts {
  readonly #watch: Watch
  readonly #jobs = new Map<string, JobAlerts>()
  /** Of attempts whose jobs were to be tried again, by the names of these. */
  readonly #tried = new Map<string, JobAlerts>()

  constructor(watch: Watch) {
    this.#watch = watch
  }

  /** An executor that does the same, while we listen. */
  hear(executor: Executor, machine: KnownMachine): Executor {
    return {
      asking: executor.asking,
      tellTo: (listener) => executor.tellTo(this.#between(listener)),
      start: (order) => {
        this.#begin(order, machine)
        executor.start(order)
      },
      cancel: (taskId, signal, request) => executor.cancel(taskId, signal, request),
      adopt: (left) => executor.adopt(left),
      close: () => executor.close(),
    }
  }

  /** An observer that is told the same, after us. */
  observe(observer: RunObserver): RunObserver {
    return {
      jobStarted: (job) => observer.jobStarted(job),
      attemptEnded: (name, record, final) => {
        const alerts = this.#jobs.get(record.taskId)
        alerts?.ended(record, final)
        this.#jobs.delete(record.taskId)
        if (alerts === undefined || final) this.#tried.delete(name)
        else this.#tried.set(name, alerts)
        observer.attemptEnded(name, record, final)
      },
      notTriedAgain: (name, record) => {
        this.#tried.get(name)?.ended(record, true)
        this.#tried.delete(name)
        observer.notTriedAgain(name, record)
      },
      jobsCancelled: (names, because) => observer.jobsCancelled(names, because),
      note: (message) => observer.note(message),
      trouble: (message) => observer.trouble(message),
    }
  }

  #begin(order: AttemptOrder, machine: KnownMachine): void {
    const { taskId, environment } = order
    const name = environment['JOBMETER_JOB_NAME'] ?? taskId
    this.#jobs.set(taskId, this.#watch({ ...order, name }, machine))
  }

  #between(listener: ExecutorListener): ExecutorListener {
    return {
      accepted: (taskId, handle) => listener.accepted(taskId, handle),
      waits: (taskId, why) => listener.waits?.(taskId, why),
      started: (taskId, figures) => listener.started(taskId, figures),
      sampled: (taskId, rows, count, columns) => {
        listener.sampled(taskId, rows, count, columns)
        this.#jobs.get(taskId)?.samples(rows, count, columns)
      },
      devicesSampled: (taskId, devices) => {
        listener.devicesSampled(taskId, devices)
        this.#jobs.get(taskId)?.devices(devices)
      },
      ended: (taskId, result) => listener.ended(taskId, result),
      gone: (taskId, why) => listener.gone(taskId, why),
      unknown: (taskId) => listener.unknown(taskId),
      note: (message) => listener.note(message),
      trouble: (message) => listener.trouble(message),
    }
  }
}
