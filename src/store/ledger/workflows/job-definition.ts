import type { WorkflowJob } from '../../../model/workflow.ts'
import { MalformedRow } from '../../errors.ts'
import type { NameListReader, NameListWriter, StoredNames } from './name-lists.ts'
import { text, type Row } from '../../sqlite/row.ts'

/** Name and command have columns of their own; the names in the lists may be stored once for many jobs. */
const listKeys = [
  'dependsOn',
  'inputFiles',
  'outputFiles',
  'inputUserData',
  'outputUserData',
] as const

type ListKey = (typeof listKeys)[number]
type Lists = Record<ListKey, readonly string[]>
type Rest = Omit<WorkflowJob, ListKey | 'name' | 'command'>

/** What stands in the column `definition` of a workflow's job. */
export function definitionText(job: WorkflowJob, lists: NameListWriter): string {
  return JSON.stringify({
    ...job,
    name: undefined,
    command: undefined,
    dependsOn: lists.store(job.dependsOn),
    inputFiles: lists.store(job.inputFiles),
    outputFiles: lists.store(job.outputFiles),
    inputUserData: lists.store(job.inputUserData),
    outputUserData: lists.store(job.outputUserData),
  } satisfies Record<ListKey, StoredNames> & Rest & { name: undefined; command: undefined })
}

/**
 * Restores the jobs of one workflow. Thousands of them often differ in name and command only: what
 * else they are is then restored once, and they share it.
 */
export class DefinitionReader {
  readonly #lists: NameListReader
  readonly #known = new Map<string, Rest & Lists>()

  constructor(lists: NameListReader) {
    this.#lists = lists
  }

  restore(row: Row): WorkflowJob {
    const definition = text(row, 'definition')
    let rest = this.#known.get(definition)
    if (rest === undefined) {
      rest = this.#parse(definition)
      this.#known.set(definition, rest)
    }
    return { ...rest, name: text(row, 'name'), command: text(row, 'shell_command') }
  }

  #parse(definition: string): Rest & Lists {
    const stored: unknown = JSON.parse(definition)
    if (typeof stored !== 'object' || stored === null)
      throw new MalformedRow('a definition is not an object')
    const entries = new Map<string, unknown>(Object.entries(stored))
    const lists = listKeys.map((key) => [key, this.#lists.restore(entries.get(key))])
    return { ...(stored as Rest), ...(Object.fromEntries(lists) as Lists) }
  }
}
