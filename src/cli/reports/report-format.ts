import { jsonText } from '../../render/text/json-text.ts'
import { globalOptions } from '../command/define.ts'

/** The options of a report that has four formats. */
export const reportOptions = {
  ...globalOptions,
  format: {
    type: 'choice',
    choices: ['table', 'json', 'csv', 'markdown'],
    default: 'table',
    says: 'output format',
  },
} as const

export interface ReportTexts {
  readonly json: object
  csv(): string
  markdown(): string
  table(): string
}

export function inFormat(
  format: (typeof reportOptions)['format']['choices'][number],
  texts: ReportTexts,
): string {
  switch (format) {
    case 'json':
      return `${jsonText(texts.json, 2)}\n`
    case 'csv':
      return texts.csv()
    case 'markdown':
      return texts.markdown()
    case 'table':
      return texts.table()
  }
}
