import type { Labels } from './family.ts'

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }

export const escaped = (text: string, which = /[\\"\n]/g): string =>
  text.toWellFormed().replace(which, (one) => escapes[one] ?? one)

/** Labels as they stand between the braces. One without a value is the same as none. */
export const labelText = (labels: Labels): string =>
  Object.entries(labels)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name}="${escaped(value ?? '')}"`)
    .join(',')
