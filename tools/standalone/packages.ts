import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findImports } from '../imports.ts'
import { copyOwnPrograms } from './own-programs.ts'
import type { Licences } from './licences.ts'

interface PackageFile {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export const readPackageFile = (folder: string): PackageFile =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile

/** Copies the built program with what it loads when it runs. Most packages are in its own files; their licences are not. */
export function copyProgram(checkout: string, target: string, licences: Licences): void {
  for (const part of ['bin', 'dist/cli', 'dist/browser', 'dist/web', 'package.json'])
    cpSync(join(checkout, part), join(target, part), { recursive: true })
  const { dependencies = {}, optionalDependencies = {} } = readPackageFile(checkout)
  const loaded = new Set([
    ...packagesLoaded(join(checkout, 'src')),
    ...copyOwnPrograms(checkout, target),
  ])
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (name === 'koffi') copyNativeModule(checkout, target)
    else if (loaded.has(name)) copyPackage(checkout, name, target)
  }
  const bundled = new Set([
    ...withWhatTheyNeed(checkout, Object.keys(dependencies)),
    ...Object.keys(optionalDependencies),
    ...withWhatTheyNeed(checkout, packagesOfPages(checkout)),
  ])
  for (const name of bundled) licences.addPackage(name, join(checkout, 'node_modules', name))
}

/** These packages and all that they need in turn. */
function withWhatTheyNeed(checkout: string, names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (name: string): void => {
    const folder = join(checkout, 'node_modules', name)
    if (found.has(name) || !existsSync(folder)) return
    found.add(name)
    for (const needed of Object.keys(readPackageFile(folder).dependencies ?? {})) add(needed)
  }
  for (const name of names) add(name)
  return found
}

/** What the scripts of pages import by name; it is part of them when they are built. */
function packagesOfPages(checkout: string): readonly string[] {
  const files = ['web', 'src/browser'].flatMap((folder) =>
    globSync(join(checkout, folder, '**/*.{ts,tsx}')),
  )
  const specifiers = files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => findImports(readFileSync(file, 'utf8')))
  return specifiers.flatMap(({ specifier }) => {
    const [, name] = /^(@[^/]+\/[^/]+|[^@./#][^/:]*)(\/|$)/.exec(specifier) ?? []
    return name === undefined ? [] : [name]
  })
}

/** What the sources load by its name when they run, which no bundler sees. */
function packagesLoaded(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  return new Set(
    sources.flatMap((file) => {
      const calls = readFileSync(join(folder, file), 'utf8').matchAll(
        /\b(?:load|read)Package\('([^']+)'\)/g,
      )
      return Array.from(calls, ([, name = '']) => name)
    }),
  )
}

/** With all that it needs: our bundles have that in their own files, programs that are started by theirs do not. */
function copyPackage(checkout: string, name: string, target: string): void {
  for (const needed of withWhatTheyNeed(checkout, [name]))
    cpSync(join(checkout, 'node_modules', needed), join(target, 'node_modules', needed), {
      recursive: true,
    })
}

/** koffi is opened where its binary lies (src/system/libc.ts); its other files and platforms are not needed. */
function copyNativeModule(checkout: string, target: string): void {
  const folder = `node_modules/@koromix/koffi-linux-${process.arch}`
  for (const part of ['package.json', `linux_${process.arch}`]) {
    mkdirSync(join(target, folder), { recursive: true })
    cpSync(join(checkout, folder, part), join(target, folder, part), { recursive: true })
  }
}
