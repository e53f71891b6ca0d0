import type { Connection } from '../../sqlite/connection.ts'
import { MalformedRow } from '../../errors.ts'
import { list, number, type Row } from '../../sqlite/row.ts'

/** A list of names as a definition holds it: itself, or the id of a row in `name_list`. */
export type StoredNames = readonly string[] | number

/** Shorter lists stand where they belong; a row of their own would be larger. */
const longestInline = 8

/** Writes the long lists of one workflow, each distinct one once. Belongs inside a transaction. */
export class NameListWriter {
  readonly #connection: Connection
  readonly #workflowId: number
  /** Jobs behind a barrier have one array in common: it is recognised without a look at its names. */
  readonly #byArray = new Map<readonly string[], number>()
  readonly #byText = new Map<string, number>()

  constructor(connection: Connection, workflowId: number) {
    this.#connection = connection
    this.#workflowId = workflowId
  }

  store(names: readonly string[]): StoredNames {
    if (names.length <= longestInline) return names
    const known = this.#byArray.get(names)
    if (known !== undefined) return known
    const text = JSON.stringify(names)
    const id = this.#byText.get(text) ?? this.#insert(text)
    this.#byText.set(text, id)
    this.#byArray.set(names, id)
    return id
  }

  #insert(text: string): number {
    const sql = 'INSERT INTO name_list (workflow_id, names) VALUES (?, ?)'
    return this.#connection.run(sql, this.#workflowId, text).lastId
  }
}

export const listsOfWorkflow = 'SELECT id, names FROM name_list WHERE workflow_id = ?'

/** Restores the lists of one workflow; jobs that shared a long one share it again. */
export class NameListReader {
  readonly #lists = new Map<number, readonly string[]>()

  constructor(rows: readonly Row[]) {
    for (const row of rows) this.#lists.set(number(row, 'id'), list(row, 'names', isText))
  }

  restore(stored: unknown): readonly string[] {
    if (Array.isArray(stored) && stored.every(isText)) return stored
    const found = typeof stored === 'number' ? this.#lists.get(stored) : undefined
    if (found === undefined) throw new MalformedRow('a definition names a list that is not there')
    return found
  }
}

const isText = (entry: unknown): entry is string => typeof entry === 'string'
