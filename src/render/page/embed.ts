import { jsonText } from '../json-text.ts'

/**
 * JSON for a script element of the type application/json. Escaping `<` leaves no way out of the element; the other
 * escapes keep control and direction marks from being there at all.
 */
export function embeddedJson(value: object): string {
  return jsonText(value).replaceAll('<', String.raw`\u003c`)
}

/** A script as it may stand in a page: without the one sequence that would end it early. */
export const inlineScript = (source: string): string =>
  source.replace(/<\/(script)/gi, String.raw`<\/$1`).replaceAll('<!--', String.raw`<\!--`)

/** What a page may do: run what is in it. Whatever would fetch or send something is refused by the browser itself. */
export const contentPolicy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'"
