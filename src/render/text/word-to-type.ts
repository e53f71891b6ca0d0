import { printable } from './printable.ts'

/** A word of a command that people are to type: one that a shell would take apart is quoted. */
export const wordToType = (word: string): string =>
  /^[\w./@%+,:=-]+$/.test(word) ? word : `'${printable(word).replaceAll("'", String.raw`'\''`)}'`
