/** A file of the dashboard, as it is sent. */
export interface WebFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
  /** Whether its name changes with its content, so that browsers may keep it for ever. */
  readonly isFixed: boolean
}

/** The dashboard as it was built: its files by their paths below `/`; undefined where there is none. */
export type WebFiles = (path: string) => WebFile | undefined

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  json: 'application/json',
}

export const typeOf = (path: string): string | undefined =>
  types[path.slice(path.lastIndexOf('.') + 1)]
