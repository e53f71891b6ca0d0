import { mayRunContainer } from '../../launch/launch.ts'
import { quotedWords } from './quoted-words.ts'

/** Characters that mean something to a shell. Without any of them words are just words. */
const shellSyntax = /[|&;<>()$`\\"'*?[\]#~=%{}!^\n\r\t]/

/** Words that only a shell knows, or that it treats otherwise than a program of that name. */
const shellWords = new Set(
  (
    '. : [ alias bg bind break builtin caller case cd command compgen complete compopt continue coproc declare dirs ' +
    'disown do done elif else enable esac eval exec exit export fc fg fi for function getopts hash help history if in ' +
    'jobs kill let local logout mapfile popd pushd pwd read readarray readonly return select set shift shopt source ' +
    'suspend test then time times trap type typeset ulimit umask unalias unset until wait while'
  ).split(' '),
)

/**
 * How to run a line of shell. Where it holds nothing but a program and plain words no shell is needed: it is quicker
 * without, and signals reach the program itself. One that runs a container may have quotes besides: its words must be known
 * for the container to be found.
 */
export function commandWords(line: string, shell: string): readonly string[] {
  if (!shellSyntax.test(line)) {
    const words = line.split(' ').filter((word) => word !== '')
    const [first] = words
    if (first !== undefined && !shellWords.has(first)) return words
  }
  const words = quotedWords(line)
  if (words !== undefined && mayRunContainer(words)) {
    const [first = ''] = words
    if (!shellWords.has(first) && !first.includes('=')) return words
  }
  return [shell, '-c', line]
}
