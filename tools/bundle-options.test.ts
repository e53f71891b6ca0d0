import { relative } from 'node:path'
import { rolldown, type OutputChunk } from 'rolldown'
import { describe, expect, it } from 'vitest'
import { bundleOptions } from './bundle-options.ts'

/** What `jobmeter run -- true` loads, by the parts that it is bundled into. */
const loadedForShortJobs = ['main', 'start', 'measure', 'run']

describe('the program as it is bundled', () => {
  it('loads for a short job just these modules', async () => {
    const { output: options, ...input } = bundleOptions
    const bundle = await rolldown(input)
    const { output } = await bundle.generate(options)
    await bundle.close()
    const chunks = output.filter((part): part is OutputChunk => part.type === 'chunk')
    const modules = loadedForShortJobs.flatMap((name) => {
      const own = chunks.find((chunk) => chunk.name === name)?.moduleIds ?? []
      return own.map((id) => `${name} ${relative(process.cwd(), id)}`).toSorted()
    })
    // One more may be right: then look at what bench/start-up.ts says, and update this list.
    await expect(`${modules.join('\n')}\n`).toMatchFileSnapshot(
      '../test/golden/short-job-modules.txt',
    )
  })
})
