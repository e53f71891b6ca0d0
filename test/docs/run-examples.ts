import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repository } from '../workloads/compile.ts'
import type { Example } from './examples.ts'

/** What came of the examples. */
export interface Outcome {
  /** What the compiler says; empty where all is well. */
  readonly typeErrors: string
  /** By place: what an example threw, null where it ran. One that is missing was never reached. */
  readonly thrown: Readonly<Record<string, string | null>>
  /** Of the process that ran them all. */
  readonly exitCode: number | string
  readonly stderr: string
}

const library = join(repository, 'src/index.ts')

/** Compiles all examples together, and runs them one after the other in one process, away from the user's files. */
export async function runExamples(examples: readonly Example[]): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-examples-'))
  try {
    // Other packages are found as from the repository.
    symlinkSync(join(repository, 'node_modules'), join(directory, 'node_modules'))
    const files = examples.map(({ code, place }, index) => {
      const file = `example-${index}.mts`
      writeFileSync(join(directory, file), `// ${place}\n${code}export {}\n`)
      return { file, place }
    })
    writeTools(directory, files)
    const tsc = join(repository, 'node_modules/.bin/tsc')
    const [compiled, ran] = await Promise.all([
      run(tsc, ['-p', directory], directory),
      run(process.execPath, ['--import', './resolve.mjs', 'run.mjs'], directory),
    ])
    return {
      typeErrors: compiled.code === 0 ? '' : named(compiled.output, files),
      thrown: JSON.parse(readFileSync(join(directory, 'thrown.json'), 'utf8')) as Outcome['thrown'],
      exitCode: ran.code,
      stderr: ran.output,
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

interface ExampleFile {
  readonly file: string
  readonly place: string
}

function writeTools(directory: string, files: readonly ExampleFile[]): void {
  const settings = {
    extends: join(repository, 'tsconfig.json'),
    compilerOptions: { paths: { jobmeter: [library] } },
    include: ['*.mts'],
    exclude: [],
  }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(settings))
  writeFileSync(
    join(directory, 'resolve.mjs'),
    `import { registerHooks } from 'node:module'
    const library = ${JSON.stringify(pathToFileURL(library).href)}
    registerHooks({
      resolve: (name, context, next) => next(name === 'jobmeter' ? library : name, context),
    })`,
  )
  // Each has a folder of its own to work in, with an empty script; what it throws stands beside its place.
  mkdirSync(join(directory, 'home'))
  writeFileSync(
    join(directory, 'run.mjs'),
    `import { mkdirSync, writeFileSync } from 'node:fs'
    const here = import.meta.dirname
    const thrown = {}
    for (const { file, place } of ${JSON.stringify(files)}) {
      mkdirSync(here + '/home/' + file)
      process.chdir(here + '/home/' + file)
      writeFileSync('train.py', '')
      try {
        await import(here + '/' + file)
        thrown[place] = null
      } catch (error) {
        thrown[place] = String(error?.stack ?? error)
      }
      writeFileSync(here + '/thrown.json', JSON.stringify(thrown))
    }`,
  )
  writeFileSync(join(directory, 'thrown.json'), '{}')
}

/** Names of files are replaced by where the examples stand. */
const named = (text: string, files: readonly ExampleFile[]): string =>
  files.reduceRight((all, { file, place }) => all.replaceAll(file, place), text)

function run(
  program: string,
  args: readonly string[],
  directory: string,
): Promise<{ readonly code: number | string; readonly output: string }> {
  const home = join(directory, 'home')
  const env = {
    ...process.env,
    // As if it were not set.
    JOBMETER_DB: undefined,
    HOME: home,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_STATE_HOME: home,
    XDG_CACHE_HOME: home,
  }
  return new Promise((resolve) => {
    execFile(program, args, { cwd: directory, env, timeout: 170_000 }, (error, stdout, stderr) =>
      resolve({
        code: error === null ? 0 : (error.code ?? error.signal ?? 'failed'),
        output: program.endsWith('tsc') ? stdout : stderr,
      }),
    )
  })
}
