/** One word of a shell, whatever is in it; plain ones stay as they are. */
export const shellWord = (word: string): string =>
  /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
