/** What a command line runs: the program, and the script that was given to it. */
export interface ToolAndScript {
  readonly tool: string
  readonly script: string | null
}

/** Programs whose first plain argument is what they run. A version may follow the name, as in `python3.11`. */
const interpreters = new Set(
  'python pypy ruby perl node php lua bash dash zsh sh julia octave tclsh'.split(' '),
)
/** The same, always called by their plain names. */
const runners = new Set('Rscript nextflow snakemake deno bun spark-submit torchrun'.split(' '))

/** Options that take the next word with them. */
const optionsWithValue = new Set(['-W', '-X', '-O', '-o', '-r', '--require', '--import'])

/** `python3 -u train.py --lr 1` runs the tool `python3` and the script `train.py`. */
export function toolAndScript(command: readonly string[]): ToolAndScript {
  const [program = '', ...words] = command
  const tool = baseName(program)
  return { tool, script: runsScripts(tool) ? findScript(words) : null }
}

function runsScripts(tool: string): boolean {
  let end = tool.length
  while (end > 0 && '0123456789.'.includes(tool.charAt(end - 1))) end -= 1
  return interpreters.has(tool.slice(0, end)) || runners.has(tool)
}

function findScript(words: readonly string[]): string | null {
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    // The program text itself follows: it is no file.
    if (word === '-c' || word === '-e' || word === '--eval') return null
    if (word === '-m') return words[index + 1] ?? null
    if (optionsWithValue.has(word)) index += 1
    else if (!word.startsWith('-')) return baseName(word)
  }
  return null
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/', path.length - 2) + 1)
}
