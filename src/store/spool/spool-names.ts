/**
 * What files in a spool are called, after the task or the owner that they are of. One `SpoolFile` is a record at first,
 * and only a sign of life when the ledger has the record.
 */
const recordEnding = '.jsonl'
const leftEnding = '.jsonl.left'
const signEnding = '.alive'
const marksEnding = '.marks'

export const recordName = (task: string): string => plain(task) + recordEnding
export const signName = (owner: string): string => plain(owner) + signEnding

/** Names come out of records that anybody may have written: none must lead to another directory. */
const plain = (name: string): string => name.replaceAll('/', '_')

/** What the job of a task tells of itself, until it has ended. */
export const marksName = (task: string): string => plain(task) + marksEnding
export const isMarks = (name: string): boolean => name.endsWith(marksEnding)
export const taskOfMarks = (name: string): string => name.slice(0, -marksEnding.length)

export const isSign = (name: string): boolean => name.endsWith(signEnding)
export const ownerOfSign = (name: string): string => name.slice(0, -signEnding.length)

/** Whether it is the record of an owner that is dead, on its way into the ledger. */
export const isLeft = (name: string): boolean => name.endsWith(leftEnding)

/** What the record of an owner that is dead is called while it is taken in. */
export const leftOf = (file: string): string =>
  isLeft(file) ? file : file.slice(0, -recordEnding.length) + leftEnding

export const isRecord = (name: string): boolean => name.endsWith(recordEnding) || isLeft(name)

/** The task that a record is of. */
export const taskOf = (name: string): string =>
  name.slice(0, isLeft(name) ? -leftEnding.length : -recordEnding.length)
