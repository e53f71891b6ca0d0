import type { WorkflowRows } from '../postgres/write/batch.ts'
import type { LocalWorkflows, ReadWorkflow } from './local-workflows.ts'

/** A workflow of 100,000 jobs takes half a second to compare: it is done for a twentieth of the time at most. */
const pauseFactor = 20
const pauseSeconds = 2

/** Those that nobody runs hardly ever change: they are looked at again after this time. */
const allSeconds = 300

interface Page {
  glance: string
  mark: string
  jobMarks: ReadonlyMap<number, string>
  /** Something has changed that is not compared yet. */
  isDirty: boolean
  nextLookAt: number
}

export interface WorkflowsToSend {
  readonly rows: readonly WorkflowRows[]
  /** To be called when they are there. */
  sent(): void
}

/** What was sent of workflows: which of them must be looked at, and which of their jobs have changed. */
export class WorkflowDiary {
  readonly #local: LocalWorkflows
  readonly #clock: () => number
  readonly #pages = new Map<number, Page>()
  readonly #known: ReadonlyMap<number, string>
  #allAt = Number.NEGATIVE_INFINITY

  constructor(local: LocalWorkflows, known: ReadonlyMap<number, string>, clock: () => number) {
    this.#local = local
    this.#known = known
    this.#clock = clock
  }

  /**
   * Those that have changed, with what has changed in them. `started`: jobs of which attempts are sent along, by workflow;
   * these must be there before their attempts. In a hurry nothing is left for later.
   */
  changed(started: ReadonlyMap<number, readonly number[]>, isHurried: boolean): WorkflowsToSend {
    const rows: WorkflowRows[] = []
    const done: (() => void)[] = []
    const glances = this.#glances(started, isHurried)
    for (const [workflowId, glance] of glances) {
      const page = this.#pageOf(workflowId)
      const jobIds = started.get(workflowId)
      if (page.glance !== glance || jobIds !== undefined) page.isDirty = true
      page.glance = glance
      if (page.isDirty && (isHurried || this.#clock() >= page.nextLookAt)) {
        const read = this.#compare(workflowId, page)
        if (read === undefined) continue
        if (read.mark !== page.mark) rows.push(read.rows)
        done.push(() => Object.assign(page, { mark: read.mark, jobMarks: read.jobMarks }))
      } else if (jobIds !== undefined) {
        const some = this.#local.readSome(workflowId, jobIds)
        if (some === undefined) continue
        rows.push(some)
        page.mark = ''
      }
    }
    return { rows, sent: () => done.forEach((note) => note()) }
  }

  #glances(started: ReadonlyMap<number, unknown>, isHurried: boolean): Map<number, string> {
    if (!isHurried && this.#clock() - this.#allAt < allSeconds) {
      const behind = [...this.#pages].flatMap(([id, { isDirty }]) => (isDirty ? [id] : []))
      return this.#local.glances([...started.keys(), ...behind])
    }
    this.#allAt = this.#clock()
    const all = this.#local.glances()
    for (const workflowId of this.#pages.keys())
      if (!all.has(workflowId)) this.#pages.delete(workflowId)
    return all
  }

  #compare(workflowId: number, page: Page): ReadWorkflow | undefined {
    const before = this.#clock()
    const read = this.#local.read(workflowId, page.jobMarks)
    const took = this.#clock() - before
    page.isDirty = false
    page.nextLookAt = this.#clock() + Math.max(pauseSeconds, pauseFactor * took)
    return read
  }

  #pageOf(workflowId: number): Page {
    const known = this.#pages.get(workflowId)
    if (known !== undefined) return known
    const page: Page = {
      glance: '',
      mark: this.#known.get(workflowId) ?? '',
      jobMarks: new Map(),
      isDirty: true,
      nextLookAt: Number.NEGATIVE_INFINITY,
    }
    this.#pages.set(workflowId, page)
    return page
  }
}
