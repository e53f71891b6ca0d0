import { formatValue, parseFormat } from './format-value.ts'
import type { ParameterValue } from './parameter-values.ts'

/** What may stand in braces: parameters by their position among an item's values, and variables. */
export interface TemplateNames {
  readonly parameters: readonly string[]
  readonly variables: Readonly<Record<string, ParameterValue>>
}

/** A text with its `{i}` found, ready to be filled in thousands of times. */
export interface Template {
  /** Whether no parameter is in it, so that it is the same for every combination of values. */
  readonly isConstant: boolean
  /** Why it cannot be filled in; null if it can. */
  readonly fault: string | null
  /** `escape` is applied to what is put in; undefined where a value does not fit its format. */
  filledWith(
    values: readonly ParameterValue[],
    escape?: (text: string) => string,
  ): string | undefined
}

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'value'
      readonly of: (values: readonly ParameterValue[]) => string | undefined
    }

/** `${i}` is the shell's; `{i}`, `{i:03d}` and `{i:>8}` may be ours. */
const braces = /(?<!\$)\{([A-Za-z_]\w*)(?::([^{}]*))?\}/g

/** The names in braces, whether anything is known by them or not. */
export function namesInBraces(text: string): string[] {
  return text.includes('{') ? [...text.matchAll(braces)].map((match) => match[1] ?? '') : []
}

/** Braces around anything but a known name stay as they are: they are the shell's, awk's or Python's. */
export function compileTemplate(text: string, names: TemplateNames): Template {
  const parts: Part[] = []
  let fault: string | null = null
  let isConstant = true
  let from = 0
  for (const match of text.includes('{') ? text.matchAll(braces) : []) {
    const [whole, name = '', formatText] = match
    const position = names.parameters.indexOf(name)
    const variable = Object.hasOwn(names.variables, name) ? names.variables[name] : undefined
    if (position < 0 && variable === undefined) continue
    const format = formatText === undefined ? null : parseFormat(formatText)
    if (format === undefined) fault ??= `${whole}: ${JSON.stringify(formatText)} is not a format`
    if (position >= 0) isConstant = false
    parts.push({ kind: 'text', text: text.slice(from, match.index) })
    parts.push({
      kind: 'value',
      of: (values) => {
        const value = position >= 0 ? values[position] : variable
        if (value === undefined || format === undefined) return undefined
        return format === null ? String(value) : formatValue(value, format)
      },
    })
    from = match.index + whole.length
  }
  if (parts.length === 0) return { isConstant, fault, filledWith: () => text }
  parts.push({ kind: 'text', text: text.slice(from) })
  return { isConstant, fault, filledWith: (values, escape) => fillParts(parts, values, escape) }
}

function fillParts(
  parts: readonly Part[],
  values: readonly ParameterValue[],
  escape: ((text: string) => string) | undefined,
): string | undefined {
  let filled = ''
  for (const part of parts) {
    const text = part.kind === 'text' ? part.text : part.of(values)
    if (text === undefined) return undefined
    filled += part.kind === 'value' && escape !== undefined ? escape(text) : text
  }
  return filled
}
