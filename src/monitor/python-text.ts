/** A value as Python prints it, which is how the documented log lines show parameters. */
export function pythonText(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`
  if (typeof value !== 'object') return quoted(typeof value)
  // What is more than a mapping, such as a date, is shown as it is stored.
  if (!isPlain(value)) return pythonText(JSON.parse(JSON.stringify(value) ?? 'null'))
  const entries = Object.entries(value).map(([key, each]) => `${quoted(key)}: ${pythonText(each)}`)
  return `{${entries.join(', ')}}`
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function quoted(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const inside = text.replace(/[\\\n\r\t]/g, (each) => escapes[each] ?? each)
  return `${mark}${mark === "'" ? inside.replaceAll("'", "\\'") : inside}${mark}`
}
