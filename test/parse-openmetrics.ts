/** A sample as a reader of OpenMetrics sees it. */
export interface ReadSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface ReadFamily {
  readonly kind: string
  readonly help: string
  readonly unit: string | undefined
  readonly samples: readonly ReadSample[]
}

const unescapes: Readonly<Record<string, string>> = { '\\\\': '\\', '\\"': '"', '\\n': '\n' }
const unescaped = (text: string): string =>
  text.replace(/\\[^]/g, (two) => unescapes[two] ?? fail(`no escape: ${two}`))

function fail(why: string): never {
  throw new Error(why)
}

const endings = ['_total', '_created', '_bucket', '_sum', '_count', '_info', '']

/** Reads OpenMetrics strictly, by its grammar: what this refuses is a fault in the text. */
export function parseOpenMetrics(text: string): Map<string, ReadFamily> {
  const families = new Map<string, ReadFamily & { samples: ReadSample[] }>()
  const lines = text.split('\n')
  if (lines.pop() !== '' || lines.pop() !== '# EOF') fail('does not end in # EOF and a line feed')
  let current = ''
  const head = new Map<string, string>()
  for (const line of lines) {
    const said = /^# (HELP|TYPE|UNIT) ([a-z_:][a-z0-9_:]*) ([^]*)$/i.exec(line)
    if (said !== null) {
      const [, what = '', name = '', rest = ''] = said
      if (name !== current) head.clear()
      if (name !== current && families.has(name)) fail(`${name} comes twice`)
      current = name
      if (head.has(what)) fail(`two lines of ${what} for ${name}`)
      head.set(what, rest)
      families.set(name, {
        kind: head.get('TYPE') ?? 'unknown',
        help: unescaped(head.get('HELP') ?? ''),
        unit: head.get('UNIT'),
        samples: [],
      })
      continue
    }
    const sample = sampleIn(line)
    const family = families.get(current) ?? fail(`a sample before any head: ${line}`)
    if (!endings.some((end) => sample.name === current + end))
      fail(`${sample.name} is not of ${current}`)
    family.samples.push(sample)
  }
  for (const [name, { unit }] of families)
    if (unit !== undefined && !name.endsWith(`_${unit}`)) fail(`${name} does not end in ${unit}`)
  return families
}

const pair = /([a-z_][a-z0-9_]*)="((?:[^\\"\n]|\\[\\"n])*)"/iy

function sampleIn(line: string): ReadSample {
  const name = /^[a-z_:][a-z0-9_:]*/i.exec(line)?.[0] ?? fail(`no name: ${line}`)
  let at = name.length
  const labels: Record<string, string> = {}
  if (line[at] === '{') {
    at += 1
    while (line[at] !== '}') {
      pair.lastIndex = at
      const [whole, key, value] = pair.exec(line) ?? fail(`no label at ${at}: ${line}`)
      if (key === undefined || Object.hasOwn(labels, key)) fail(`label twice: ${line}`)
      labels[key] = unescaped(value ?? '')
      at += whole.length
      if (line[at] === ',') at += 1
    }
    at += 1
  }
  const number = /^ (-?\d[\d.]*(?:e[+-]?\d+)?|[+-]Inf)$/i.exec(line.slice(at))?.[1]
  if (number === undefined) fail(`no number: ${line}`)
  return { name, labels, value: Number(number.replace('Inf', 'Infinity')) }
}
