import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { Console } from '../src/cli/terminal/console.ts'
import type { Ledger } from '../src/store/ledger/ledger.ts'
import { openSqliteLedger } from '../src/store/ledger/open.ts'
import { RecordingConsole } from './recorded-workflow.ts'

/** A folder with a new ledger for each test of a file. */
export class LedgerFolder {
  directory = ''
  #ledger: Ledger | undefined

  constructor() {
    beforeEach(() => {
      this.directory = mkdtempSync(join(tmpdir(), 'jobmeter-'))
      this.#ledger = openSqliteLedger(this.db)
    })
    afterEach(() => {
      this.ledger.close()
      rmSync(this.directory, { recursive: true })
    })
  }

  get db(): string {
    return join(this.directory, 'ledger.db')
  }

  get ledger(): Ledger {
    if (this.#ledger === undefined) throw new Error('there is a ledger only while a test runs')
    return this.#ledger
  }

  /** What a command says of this ledger. */
  async ask(
    execute: (argv: readonly string[], console: Console) => Promise<number>,
    argv: readonly string[],
  ): Promise<{ code: number; text: string; notes: string }> {
    const console = new RecordingConsole()
    const code = await execute([...argv, '--db', this.db], console)
    return { code, text: console.printed, notes: console.noted }
  }
}
