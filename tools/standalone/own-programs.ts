import { cpSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Programs of ours that others start by their files: as processes (`system/helper-line.ts`) and threads. */
const programs = [
  'dist/sensors/gpu/nvml-helper.js',
  'dist/agent/answers/answer-helper.js',
  'dist/server/desk/clerk.js',
]

const imported = /\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g

/** Copies them with every file that they load, and answers which packages they do. */
export function copyOwnPrograms(checkout: string, target: string): ReadonlySet<string> {
  const files = new Set(programs.map((program) => join(checkout, program)))
  const packages = new Set<string>()
  for (const file of files)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(imported))
      if (name.startsWith('.')) files.add(join(dirname(file), name))
      else if (!name.startsWith('node:')) packages.add(name)
  for (const file of files) cpSync(file, join(target, relative(checkout, file)))
  return packages
}
