import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundlePageScripts } from '../tools/page-scripts.ts'
import { installChromium } from './browser/chromium.ts'
import { installDebian } from './debian.ts'
import { canHaveFuse, hasBindfs } from './network-disk.ts'
import { ordinaryUser } from './program.ts'
import { installPython } from './python/python.ts'
import { compile, programs, repository } from './workloads/compile.ts'

/** Runs once before all tests: what the end-to-end tests need is built, or they are told it is not. */
export default async function setup(): Promise<(() => void) | undefined> {
  // What is read as TypeScript by many processes, those of Vitest among them, is compiled by the first.
  process.env['NODE_COMPILE_CACHE'] ??= join(repository, 'node_modules/.cache/jobmeter-compiled')
  await bundlePageScripts(repository)
  need('the C workloads', compile(join(import.meta.dirname, 'workloads')))
  need('the stand-in for NVML', compile(join(import.meta.dirname, 'nvml'), 'library'))
  need('Chromium', installChromium())
  need('python3', installPython())
  const sqlite = '/usr/bin/sqlite3'
  need(
    'the sqlite3 shell',
    installDebian(sqlite, () => existsSync(sqlite), 'sqlite3'),
  )
  if (canHaveFuse) need('a network disk', installDebian('bindfs', hasBindfs, 'bindfs'))
  if (process.getuid?.() !== 0 || canReach(join(repository, 'package.json'))) return undefined
  return installForOthers()
}

function need(what: string, missing: string | undefined): void {
  if (missing === undefined) return
  if (process.env['CI'] === 'true') throw new Error(missing)
  console.warn(`Tests that need ${what} are skipped: ${missing}`)
}

function canReach(path: string): boolean {
  const { uid, gid } = ordinaryUser
  return spawnSync('test', ['-r', path], { uid, gid, cwd: '/' }).status === 0
}

/** A checkout under a private folder, such as root's home, is copied to where everyone can run it. */
function installForOthers(): () => void {
  const install = mkdtempSync(join(tmpdir(), 'jobmeter-install-'))
  chmodSync(install, 0o755)
  const parts = ['bin', 'dist', 'package.json', 'node_modules/koffi', 'node_modules/@koromix']
  for (const part of [...parts, programs.slice(repository.length + 1)]) {
    const from = join(repository, part)
    if (existsSync(from)) cpSync(from, join(install, part), { recursive: true })
  }
  copyFileSync(process.execPath, join(install, 'node'))
  process.env['JOBMETER_TEST_INSTALL'] = install
  return () => rmSync(install, { recursive: true, force: true })
}
