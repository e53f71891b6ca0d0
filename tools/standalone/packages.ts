import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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
  for (const part of ['bin', 'dist/cli', 'dist/browser', 'package.json'])
    cpSync(join(checkout, part), join(target, part), { recursive: true })
  const { dependencies = {}, optionalDependencies = {} } = readPackageFile(checkout)
  const loaded = packagesLoaded(join(checkout, 'src'))
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const folder = join(checkout, 'node_modules', name)
    licences.addPackage(name, folder)
    if (name === 'koffi') copyNativeModule(checkout, target)
    else if (loaded.has(name)) copyPackage(name, folder, target)
  }
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

function copyPackage(name: string, folder: string, target: string): void {
  const needs = Object.keys(readPackageFile(folder).dependencies ?? {})
  if (needs.length > 0)
    throw new Error(`${name} needs ${needs.join(', ')}, which would be left out`)
  cpSync(folder, join(target, 'node_modules', name), { recursive: true })
}

/** koffi is opened where its binary lies (src/system/libc.ts); its other files and platforms are not needed. */
function copyNativeModule(checkout: string, target: string): void {
  const folder = `node_modules/@koromix/koffi-linux-${process.arch}`
  for (const part of ['package.json', `linux_${process.arch}`]) {
    mkdirSync(join(target, folder), { recursive: true })
    cpSync(join(checkout, folder, part), join(target, folder, part), { recursive: true })
  }
}
