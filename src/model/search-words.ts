import type { JobRecord } from './record.ts'

/** How a text that people look for may stand in the ledger, in small letters. */
export interface SoughtForms {
  /** In names, users and ids. */
  readonly plain: string
  /** In lists of tags and in commands, which are kept as JSON. */
  readonly inJson: readonly string[]
}

/** A command is a list of words: `train.py --rate` is looked for within a word and across two of them. */
export function soughtForms(search: string): SoughtForms {
  const plain = inSmallLetters(search)
  const json = JSON.stringify(plain).slice(1, -1)
  return { plain, inJson: json.includes(' ') ? [json, json.replaceAll(' ', '","')] : [json] }
}

/** As the ledger finds it. */
export function isSought(
  record: Pick<JobRecord, 'taskId' | 'name' | 'user' | 'command' | 'tags'>,
  search: string,
): boolean {
  const { plain, inJson } = soughtForms(search)
  const lists = [record.command, record.tags].map((list) => inSmallLetters(JSON.stringify(list)))
  return (
    record.taskId.startsWith(plain) ||
    [record.name, record.user].some((text) => inSmallLetters(text).includes(plain)) ||
    lists.some((text) => inJson.some((form) => text.includes(form)))
  )
}

/** As SQLite does it: letters of ASCII alone. */
export const inSmallLetters = (text: string): string =>
  text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
