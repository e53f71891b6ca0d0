/** A piece of a word: within quotes, where nothing in it means anything to a shell, or bare. `\` at the end of a line joins it with the next. */
const piece = /'([^']*)'|"([^"$`\\]*)"|([^\s|&;<>()$`\\"'*?[\]#~{}!^]+)|\\\n/y
const gap = / +/y

/** The words of a line of shell in which nothing but quotes is left to a shell; undefined for any other line. */
export function quotedWords(line: string): readonly string[] | undefined {
  const text = line.replaceAll(/^[ \n]+|[ \n]+$/g, '')
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < text.length;) {
    const found = matchAt(piece, text, at) ?? matchAt(gap, text, at)
    if (found === undefined) return undefined
    const [whole, single, double, bare] = found
    const part = single ?? double ?? bare
    if (part !== undefined) word = (word ?? '') + part
    else if (whole.startsWith(' ')) {
      if (word !== undefined) words.push(word)
      word = undefined
    }
    at += whole.length
  }
  return word === undefined ? words : [...words, word]
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}
