import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { asStoreError, StoreError } from '../errors.ts'
import { refuseStrangeCompanions } from '../private-file.ts'
import { isForeignToRoot } from '../strangers.ts'
import { Connection } from './connection.ts'
import { openToFollow } from './open-to-read.ts'
import { number } from './row.ts'

/** Whoever looks again in a moment does not wait for others who write. */
const lockWait = { milliseconds: 20 }

/** An SQLite file that others write to, open only for reading, to be read again whenever it has changed. */
export class FollowedFile {
  readonly connection: Connection
  #seenVersion = -1

  /** Undefined where there is no such file. Throws where it cannot be read. */
  static open(path: string): FollowedFile | undefined {
    const file = resolve(path)
    if (!existsSync(file)) return undefined
    if (isForeignToRoot(file))
      throw new StoreError('unreadable', path, 'root does not use a file that others can change')
    refuseStrangeCompanions(file)
    try {
      const connection = new Connection(openToFollow(file), file, { journal: 'WAL', lockWait })
      return new FollowedFile(connection)
    } catch (error) {
      throw asStoreError(error, file)
    }
  }

  constructor(connection: Connection) {
    this.connection = connection
  }

  /** Whether another file, or none, stands under its name now. */
  get isReplaced(): boolean {
    return !this.connection.isInPlace
  }

  /** Whether anything was committed since this was last asked, by any process; at first it was. Takes some microseconds. */
  hasChanged(): boolean {
    const version = number(this.connection.row('PRAGMA data_version') ?? {}, 'data_version')
    const isNew = version !== this.#seenVersion
    this.#seenVersion = version
    return isNew
  }

  /** To be called where what has changed could not be read: it is to be read the next time. */
  readAgain(): void {
    this.#seenVersion = -1
  }

  close(): void {
    this.connection.close()
  }
}
