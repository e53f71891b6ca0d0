/** Why a record was refused. Records with the same `fault` are counted together. */
export class BadRecord extends Error {
  readonly fault: string

  constructor(fault: string, detail = '') {
    super(detail === '' ? fault : `${fault}: ${detail}`)
    this.fault = fault
  }
}

/** Enough to find it by; what a file holds that was imported by mistake stays in it. */
const quotedCharacters = 8

export const quoted = (text: string): string =>
  JSON.stringify(text.length > quotedCharacters ? `${text.slice(0, quotedCharacters)}…` : text)

export const invalidField = 'a field has an invalid value'
