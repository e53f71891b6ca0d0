import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The first source that was changed after the program was built; undefined where the build is up to date. */
export function staleSource(repository: string): string | undefined {
  const built = statSync(join(repository, 'dist/cli/main.cjs'), { throwIfNoEntry: false })
  const sources = globSync('{src,bin,web}/**/*.{ts,tsx,css,html,cjs}', {
    cwd: repository,
  }).toSorted()
  return sources
    .filter((file) => !file.endsWith('.test.ts'))
    .find((file) => statSync(join(repository, file)).mtimeMs > (built?.mtimeMs ?? 0))
}
