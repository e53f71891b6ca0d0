import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { installDebian, type Missing } from '../debian.ts'

export const repository = join(import.meta.dirname, '../..')
export const programs = join(repository, 'node_modules/.cache/jobmeter-workloads')

/** Compiles every C file of a folder whose program, or shared library, is not there or older than a source. */
export function compile(folder: string, kind: 'program' | 'library' = 'program'): Missing {
  const sources = readdirSync(folder).map((name) => join(folder, name))
  const headersMs = newestMs(sources.filter((path) => path.endsWith('.h')))
  const stale = sources.filter((source) => {
    if (!source.endsWith('.c')) return false
    const program = programOf(source)
    const sourceMs = Math.max(newestMs([source]), headersMs)
    return !existsSync(program) || statSync(program).mtimeMs < sourceMs
  })
  if (stale.length === 0) return undefined
  const missing = findCompiler()
  if (missing !== undefined) return missing
  mkdirSync(programs, { recursive: true })
  for (const source of stale) compileOne(source, kind === 'library' ? ['-shared', '-fPIC'] : [])
  return undefined
}

const programOf = (source: string): string => join(programs, basename(source, '.c'))

const newestMs = (paths: readonly string[]): number =>
  Math.max(0, ...paths.map((path) => statSync(path).mtimeMs))

function compileOne(source: string, flags: readonly string[]): void {
  // Under another name first: a benchmark and a test may compile at once, and neither may run half a file.
  const unfinished = `${programOf(source)}.${process.pid}`
  const warnings = ['-Wall', '-Wextra', '-Werror']
  const built = spawnSync('cc', ['-O2', ...warnings, ...flags, '-o', unfinished, source, '-lm'])
  if (built.status !== 0) throw new Error(`cc ${source}:\n${String(built.stderr)}`)
  renameSync(unfinished, programOf(source))
}

function findCompiler(): Missing {
  const works = () => spawnSync('cc', ['--version']).status === 0
  return installDebian('C compiler (cc)', works, 'gcc', 'libc6-dev')
}
