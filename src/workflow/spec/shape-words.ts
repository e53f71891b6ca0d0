/** How problems of shape are put to people. */

const kinds: Readonly<Record<string, readonly string[]>> = {
  string: ['text'],
  number: ['a number'],
  int: ['a whole number'],
  array: ['a list'],
  object: ['a mapping'],
  record: ['a mapping'],
  boolean: ['true', 'false'],
}

export const expectedWords = (expected: readonly string[]): string =>
  alternatives([...new Set(expected.flatMap((kind) => kinds[kind] ?? [kind]))])

export function alternatives(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

export function foundWords(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  // JSON has no word for these.
  if (typeof value === 'number' && !Number.isFinite(value))
    return String(value).replace('Infinity', 'infinity')
  const text = JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}

/** What a value of the wrong kind probably was meant to be. */
export function kindSuggestion(value: unknown, expected: readonly string[]): string | null {
  if (typeof value === 'string') {
    if (expected.some((kind) => kind === 'number' || kind === 'int')) {
      return /^-?\d+(\.\d+)?$/.test(value) ? `Write ${value} without quotes.` : null
    }
    if (!expected.includes('boolean')) return null
    if (/^(yes|on|true)$/i.test(value)) return 'Write true.'
    return /^(no|off|false)$/i.test(value) ? 'Write false.' : null
  }
  if (!expected.includes('string')) return null
  if (typeof value === 'number' || typeof value === 'boolean') return `Write "${value}" in quotes.`
  return null
}

/** Words of other programs for what we call otherwise; none is near enough for a slip of the finger. */
export const synonyms: Readonly<Record<string, string>> = {
  after: 'depends_on',
  needs: 'depends_on',
  requires: 'depends_on',
  dependencies: 'depends_on',
  cmd: 'command',
  run: 'command',
  script: 'command',
  shell: 'command',
  inputs: 'input_files',
  outputs: 'output_files',
  environment: 'env',
  vars: 'variables',
  resources: 'resource_requirements',
  cores: 'num_cpus',
  threads: 'num_cpus',
  ncpus: 'num_cpus',
  mem: 'memory',
  ram: 'memory',
  time: 'runtime',
  timeout: 'runtime',
  walltime: 'runtime',
  time_limit: 'runtime',
  ngpus: 'num_gpus',
  interval: 'sample_interval_seconds',
  retries: 'max_retries',
  tasks: 'jobs',
  steps: 'jobs',
  matrix: 'parameters',
}
