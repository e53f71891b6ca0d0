import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'

/** A page each: src/browser/report.ts becomes dist/browser/report.js. */
const pages = ['report', 'plot', 'heat'] as const

/**
 * Makes the script of each page, one file with all that it imports, which the program puts into the pages it writes. Tests
 * make them anew too, so that pages are always drawn by what is in src/.
 */
export async function bundlePageScripts(root: string): Promise<void> {
  const folder = join(root, 'dist/browser')
  mkdirSync(folder, { recursive: true })
  for (const page of pages) {
    const script = await scriptOf(join(root, 'src/browser', `${page}.ts`))
    // Whole at any time: tests may be reading the one before it.
    const made = join(folder, `${page}.js.${process.pid}`)
    writeFileSync(made, script)
    renameSync(made, join(folder, `${page}.js`))
  }
}

async function scriptOf(entry: string): Promise<string> {
  const { output } = await build({
    input: entry,
    platform: 'browser',
    write: false,
    // A warning here is a module that no browser has, such as node:util.
    onLog: (_level, { message }) => {
      throw new Error(message)
    },
    output: { format: 'iife', minify: true, strict: true },
  })
  const [{ code }, ...others] = output
  if (others.length > 0) throw new Error(`${entry} became ${output.length} files`)
  const ending = /<\/script|<!--/i.exec(code)?.[0]
  if (ending !== undefined) throw new Error(`${entry}: "${ending}" would end its script element`)
  return code
}
