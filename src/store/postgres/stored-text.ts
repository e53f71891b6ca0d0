/**
 * PostgreSQL takes every text but those with a NUL in it, which a command or a reason may have. It is written as a code
 * point that stands for no character (https://www.unicode.org/faq/private_use.html#nonchar4) and a digit; so is that one.
 */
const mark = '\u{fdd0}'
const nul = '\0'

/** For whoever writes, and for what is looked for. */
export const textToStore = (text: string): string =>
  text.includes(nul) || text.includes(mark)
    ? text.replaceAll(mark, `${mark}1`).replaceAll(nul, `${mark}0`)
    : text

export const storedText = (stored: string): string =>
  stored.includes(mark)
    ? stored.replaceAll(/\u{fdd0}([01])/gu, (_, digit) => (digit === '0' ? nul : mark))
    : stored
