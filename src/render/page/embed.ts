import { jsonText } from '../text/json-text.ts'

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

/** The beginning of a page, up to its body. */
export const pageHead = (
  title: string,
  style: string,
  policy = completePolicy,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
`

const policyFor = (scripts: string): string =>
  `default-src 'none'; script-src ${scripts}; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'`

/** What a page may do: run what is in it. Whatever would fetch or send something is refused by the browser itself. */
const completePolicy = policyFor("'unsafe-inline'")

/** The same for a page with a script beside it: a folder on a disk is no origin, so that its scheme is named too. */
export const besidePolicy = policyFor("'unsafe-inline' 'self' file:")
