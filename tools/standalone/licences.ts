import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Packages that come without their licence, and one of the same authors under the same licence that has it. */
const licensedAs: Readonly<Record<string, string>> = {
  '@hono/zod-openapi': 'hono',
  '@hono/zod-validator': 'hono',
}

const granted = /Permission is hereby granted/

/** Puts the licence of each part into a folder, by the name of the part. Without one a part may not be passed on. */
export class Licences {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true })
  }

  addNode(program: string): void {
    const places = [join(dirname(program), '../LICENSE'), '/usr/share/doc/nodejs/copyright']
    this.#add('node', places)
  }

  addPackage(name: string, folder: string): void {
    const source = join(folder, name.includes('/') ? '../..' : '..', licensedAs[name] ?? name)
    const files = readdirSync(source)
    const licences = files.filter((file) => /^(licen[cs]e|copying)/i.test(file))
    // Some have it at the end of what else they say.
    const readmes = files.filter(
      (file) => /^readme/i.test(file) && granted.test(readFileSync(join(source, file), 'utf8')),
    )
    this.#add(
      name.replace('/', '-'),
      [...licences, ...readmes].map((file) => join(source, file)),
    )
  }

  /** As Debian keeps them, or Fedora and those that descend from it. */
  addLibrary(name: string, path: string): void {
    const owner = debianOwner(path)
    const plain = name.replace(/(_s)?\.so.*/, '')
    const places = owner === undefined ? [] : [`/usr/share/doc/${owner}/copyright`]
    this.#add(name, [...places, `/usr/share/licenses/${plain}/COPYING.RUNTIME`])
    const shared = '/usr/share/common-licenses/GPL-3'
    if (existsSync(shared)) copyFileSync(shared, join(this.#folder, 'GPL-3'))
  }

  #add(part: string, places: readonly string[]): void {
    const found = places.find((place) => existsSync(place))
    if (found === undefined) throw new Error(`no licence of ${part} was found`)
    copyFileSync(found, join(this.#folder, part))
  }
}

/** Debian knows some libraries under /lib and some under /usr/lib, which are one folder by now. */
function debianOwner(path: string): string | undefined {
  const names = [path, path.replace(/^\/usr/, ''), `/usr${path}`]
  const asked = spawnSync('dpkg-query', ['-S', ...names], { encoding: 'utf8' })
  return /^([^:\s]+)/.exec(asked.stdout ?? '')?.[1]
}
