/** Characters that mean something to a shell. Without any of them words are just words. */
const shellSyntax = /[|&;<>()$`\\"'*?[\]#~=%{}!^\n\r\t]/

/** Words that only a shell knows, or that it treats otherwise than a program of that name. */
const shellWords = new Set(
  (
    '. : [ alias bg break cd command continue do done elif else esac eval exec exit export fc fg fi for ' +
    'function getopts hash if in jobs kill let local pwd read readonly return select set shift source test then time times ' +
    'trap type typeset ulimit umask unalias unset until wait while'
  ).split(' '),
)

/**
 * How to run a line of shell. Where it holds nothing but a program and plain words no shell is needed: it is quicker
 * without, and signals reach the program itself.
 */
export function commandWords(line: string, shell: string): readonly string[] {
  if (!shellSyntax.test(line)) {
    const words = line.split(' ').filter((word) => word !== '')
    const [first] = words
    if (first !== undefined && !shellWords.has(first)) return words
  }
  return [shell, '-c', line]
}
