import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Who runs something in a bare root; root can also be somebody else there. */
export interface Inhabitant {
  readonly uid: number
}

const isRoot = process.getuid?.() === 0

/** A namespace where mounts are ours to make; without rights of our own, one of users too. */
const namespace = isRoot ? ['unshare', '-m'] : ['unshare', '-r', '-m']

const tried = spawnSync(namespace[0] ?? '', [...namespace.slice(1), 'true'], { encoding: 'utf8' })

/** Why there can be no bare root here; undefined where there can. On CI there must be. */
export const bareRootMissing: string | undefined =
  tried.status === 0 ? undefined : `unshare -m is not allowed: ${tried.stderr.trim()}`
if (bareRootMissing !== undefined && process.env['CI'] === 'true') throw new Error(bareRootMissing)

const partOfGlibc = /\/(ld-linux[^/]*|lib(c|m|dl|pthread|rt|resolv))\.so/

const pathsIn = (listing: string): string[] =>
  listing.split('\n').flatMap((line) => /(\/\S+) \(0x/.exec(line)?.[1] ?? [])

/**
 * A file system with glibc, a shell, `true` and nothing else: no libstdc++, no /etc/passwd, no /dev/urandom. `programs`
 * that are tested there need no more of the machine than this.
 */
export class BareRoot {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
    for (const place of ['bin', 'proc', 'dev', 'opt', 'jobs']) mkdirSync(join(folder, place))
    mkdirSync(join(folder, 'tmp'))
    execFileSync('chmod', ['1777', join(folder, 'tmp'), join(folder, 'jobs')])
    writeFileSync(join(folder, 'dev/null'), '')
    const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' })
    for (const path of pathsIn(libraries)) if (partOfGlibc.test(path)) this.#copy(path)
    for (const program of ['sh', 'true', 'cat']) this.#install(program)
  }

  /** Runs a line of shell with nothing in its environment but a PATH, in `/jobs`. */
  run(line: string, { uid }: Inhabitant) {
    const change = `mount --rbind /proc proc && mount --bind /dev/null dev/null &&
      mount --bind opt opt && mount -o remount,bind,ro opt && exec env -i PATH=/bin "$@"`
    const [program = '', ...words] = namespace
    const user = isRoot ? [`--userspec=${uid}:${uid}`] : []
    const chroot = ['/usr/sbin/chroot', ...user, '.', '/bin/sh', '-c', `cd /jobs; ${line}`]
    return spawnSync(program, [...words, 'sh', '-ec', change, 'sh', ...chroot], {
      cwd: this.folder,
      encoding: 'utf8',
      timeout: 60_000,
    })
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, path))
  }

  #install(name: string): void {
    const program = `/bin/${name}`
    copyFileSync(program, join(this.folder, program))
    for (const path of pathsIn(execFileSync('ldd', [program], { encoding: 'utf8' })))
      this.#copy(path)
  }

  #copy(path: string): void {
    mkdirSync(join(this.folder, dirname(path)), { recursive: true })
    copyFileSync(path, join(this.folder, path))
  }
}
