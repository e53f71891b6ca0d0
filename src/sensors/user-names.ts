import type { System } from '../system/system.ts'

/** `name:x:uid:…`, as /etc/passwd and `getent passwd` have them. */
function parsePasswd(text: string): Map<number, string> {
  const names = new Map<number, string>()
  for (const line of text.split('\n')) {
    const [name = '', , uid = ''] = line.split(':')
    if (name !== '' && /^\d+$/.test(uid) && !names.has(Number(uid))) names.set(Number(uid), name)
  }
  return names
}

/**
 * The names of users. Those that /etc/passwd does not know may be in a directory of the network: they are asked for in the
 * background, and are numbers until the answer comes.
 */
export class UserNames {
  readonly #system: System
  #names = new Map<number, string>()
  readonly #asked = new Set<number>()

  constructor(system: System) {
    this.#system = system
    this.#read()
  }

  nameOf(uid: number): string {
    const known = this.#names.get(uid)
    if (known !== undefined) return known
    if (!this.#asked.has(uid)) void this.#ask(uid)
    return String(uid)
  }

  /** The same, waited for. */
  async find(uid: number): Promise<string> {
    if (!this.#names.has(uid)) await this.#ask(uid)
    return this.#names.get(uid) ?? String(uid)
  }

  /** Accounts come and go. */
  refresh(): void {
    this.#asked.clear()
    this.#read()
  }

  #read(): void {
    const text = this.#system.files.readText('/etc/passwd')
    if (text.kind === 'ok') this.#names = parsePasswd(text.value)
  }

  async #ask(uid: number): Promise<void> {
    this.#asked.add(uid)
    const told = await this.#system.toolOutput(['getent', 'passwd', String(uid)])
    if (told.kind !== 'ok') return
    const name = parsePasswd(told.value).get(uid)
    if (name !== undefined) this.#names.set(uid, name)
  }
}
