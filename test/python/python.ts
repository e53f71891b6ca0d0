import { existsSync } from 'node:fs'
import { installDebian, type Missing } from '../debian.ts'

/** Debian's own: what people have, and no version manager's. */
export const python = '/usr/bin/python3'

export const installPython = (): Missing =>
  installDebian(python, () => existsSync(python), 'python3')
