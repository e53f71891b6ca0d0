/**
 * Packs jobmeter, as it is built, with the Node that runs this into one archive that unpacks anywhere:
 *
 *   bin/jobmeter     starts runtime/node with bin/jobmeter.cjs (launcher.c)
 *   runtime/         Node, and the libraries it needs that not every Linux has
 *   dist/            the program, with the code that this Node's V8 compiled for it
 *   node_modules/    what the program loads from packages
 *   licences/        of everything in it
 *
 * Node is not in bin/: people put that on their PATH, and their jobs would get our Node instead of theirs.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { setLibraryPath } from './library-path.ts'
import { Licences } from './licences.ts'
import { copyProgram, readPackageFile } from './packages.ts'
import { libraryPath, ownLibraries } from './shared-libraries.ts'

const checkout = join(import.meta.dirname, '../..')

const { values } = parseArgs({
  options: {
    /** `xz` or `gz`, which is a tenth of the work, and half as large again. */
    compress: { type: 'string', default: works('xz') ? 'xz' : 'gz' },
    to: { type: 'string', default: checkout },
  },
})

const name = `jobmeter-${readPackageFile(checkout).version}-linux-${process.arch}`
const scratch = mkdtempSync(join(tmpdir(), 'jobmeter-pack-'))
try {
  if (process.arch !== 'x64') throw new Error(`there is no launcher for ${process.arch} so far`)
  fill(join(scratch, name))
  const archive = pack(resolve(values.to))
  const bytes = readFileSync(archive)
  console.log(archive)
  console.log(`${(bytes.length / 1e6).toFixed(1)} MB`)
  console.log(`sha256 ${createHash('sha256').update(bytes).digest('hex')}`)
} finally {
  rmSync(scratch, { recursive: true })
}

function fill(root: string): void {
  mkdirSync(root)
  const licences = new Licences(join(root, 'licences'))
  copyProgram(checkout, root, licences)
  addNode(join(root, 'runtime'), licences)
  addLaunchers(join(root, 'bin'))
  for (const part of ['README.md', 'CHANGELOG.md', 'LICENSE', 'docs'])
    cpSync(join(checkout, part), join(root, part), { recursive: true })
  execFileSync('chmod', ['-R', 'u+w,go-w,a+rX', root])
}

function addNode(folder: string, licences: Licences): void {
  mkdirSync(folder)
  const node = join(folder, 'node')
  copyFileSync(process.execPath, node)
  chmodSync(node, 0o755)
  // Debugging information is a seventh of it. What add-ons link to stays.
  if (works('strip')) execFileSync('strip', [node])
  const program = readFileSync(node)
  setLibraryPath(program, libraryPath(process.arch))
  writeFileSync(node, program)
  licences.addNode(process.execPath)
  for (const [library, path] of ownLibraries()) {
    copyFileSync(path, join(folder, library))
    licences.addLibrary(library, path)
  }
}

/** One for each command, by name: a launcher starts the program that is named as it is. */
function addLaunchers(folder: string): void {
  if (!works('cc')) throw new Error('the launcher needs a C compiler (cc), and there is none')
  const alone = ['-static', '-nostdlib', '-ffreestanding', '-fno-pie', '-no-pie']
  const small = ['-Os', '-s', '-fno-stack-protector', '-fno-asynchronous-unwind-tables']
  const strict = ['-Wall', '-Wextra', '-Werror']
  const source = join(import.meta.dirname, 'launcher.c')
  const launcher = join(folder, 'jobmeter')
  const flags = [...alone, ...small, ...strict, '-Wl,--build-id=none']
  execFileSync('cc', [...flags, '-o', launcher, source], { stdio: 'inherit' })
  copyFileSync(launcher, join(folder, 'jobmeter-plot-resources'))
}

/** The same owner, order and time in every archive, so that only what differs makes a difference. */
function pack(target: string): string {
  const tar = join(scratch, `${name}.tar`)
  const time = process.env['SOURCE_DATE_EPOCH'] ?? '0'
  const same = ['--sort=name', `--mtime=@${time}`, '--owner=0', '--group=0', '--numeric-owner']
  execFileSync('tar', [...same, '-C', scratch, '-cf', tar, name])
  if (values.compress === 'xz') execFileSync('xz', ['-T0', tar])
  else execFileSync('gzip', ['-n', tar])
  const packed = `${tar}.${values.compress}`
  const archive = join(target, basename(packed))
  mkdirSync(dirname(archive), { recursive: true })
  copyFileSync(packed, archive)
  return archive
}

function works(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0
}
