import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { rolldown, type OutputChunk, type Plugin } from 'rolldown'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundleOptions } from './bundle-options.ts'

/** What `jobmeter run -- true` loads, by the parts that it is bundled into. */
const loadedForShortJobs = ['main', 'start', 'measuring', 'run']

/** Nobody else loads these. */
const ownOfRun = [
  'run src/cli/run/run.ts',
  'run src/cli/terminal/signal-relay.ts',
  'run src/cli/terminal/terminal-role.ts',
]

describe('the program as it is bundled', () => {
  let chunks: readonly OutputChunk[]
  /** What each module loads before a line of it runs. */
  const importedBy = new Map<string, readonly string[]>()
  beforeAll(async () => {
    const { output: options, plugins, ...input } = bundleOptions
    const noteImports: Plugin = {
      name: 'note-imports',
      moduleParsed: ({ id, importedIds }) => void importedBy.set(id, importedIds),
    }
    const bundle = await rolldown({ ...input, plugins: [...plugins, noteImports] })
    const { output } = await bundle.generate(options)
    await bundle.close()
    chunks = output.filter((part) => part.type === 'chunk')
  })

  it('exports by plain properties what a short job loads', () => {
    const parts = chunks.filter(({ name }) => loadedForShortJobs.includes(name))
    expect(parts.map(({ name }) => name).toSorted()).toEqual(loadedForShortJobs.toSorted())
    for (const { name, code } of parts) expect(code, name).not.toMatch(/get:\s*function/)
  })

  it('loads for a short job just the modules that are listed for it', () => {
    const parts = chunks.filter(({ name }) => loadedForShortJobs.includes(name))
    const modules = parts.flatMap(({ name, moduleIds }) =>
      moduleIds.map((id) => `${name} ${relative(process.cwd(), id)}`),
    )
    const listed = readFileSync('tools/short-job-modules.txt', 'utf8').trimEnd().split('\n')
    // One more may be right: then look at what bench/start-up.ts says, and add it to the list.
    expect(modules.toSorted()).toEqual([...listed, ...ownOfRun].toSorted())
    const also = new Set(parts.flatMap(({ imports }) => imports))
    const files = new Set(parts.map(({ fileName }) => fileName))
    expect([...also].filter((file) => file.endsWith('.cjs') && !files.has(file))).toEqual([])
  })

  it('loads for a short job no module that nothing of it imports', () => {
    const needed = new Set<string>()
    const visit = (id: string): void => {
      if (needed.has(id)) return
      needed.add(id)
      for (const imported of importedBy.get(id) ?? []) visit(imported)
    }
    for (const name of ['src/cli/main.ts', 'src/cli/run/run.ts']) visit(join(process.cwd(), name))
    const parts = chunks.filter(({ name }) => loadedForShortJobs.includes(name))
    const idle = parts.flatMap(({ moduleIds }) => moduleIds.filter((id) => !needed.has(id)))
    expect(idle.map((id) => relative(process.cwd(), id))).toEqual([])
  })
})
