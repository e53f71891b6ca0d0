import type { FollowedFile } from './followed-file.ts'

/** Reads what is new in a file that others write to. Nothing is written, and nobody is kept from writing. */
export abstract class FollowedReader {
  protected readonly file: FollowedFile

  constructor(file: FollowedFile) {
    this.file = file
  }

  /** Whether another file, or none, stands under its name now. */
  get isReplaced(): boolean {
    return this.file.isReplaced
  }

  /** Whether anything was written since this was last asked; at first it was. */
  hasChanged(): boolean {
    return this.file.hasChanged()
  }

  /** To be called where what has changed could not be read: it is to be read the next time. */
  readAgain(): void {
    this.file.readAgain()
  }

  close(): void {
    this.file.close()
  }
}
