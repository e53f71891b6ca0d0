import type { RequestPart } from '../../analysis/node/next-request.ts'
import { fixedKeeping, formatBytes, tableSeconds } from '../units/figures.ts'

const names = { cpus: 'CPUs', memory: 'Memory', gpus: 'GPUs', runtime: 'Time' } as const

function figure(resource: RequestPart['resource'], value: number): string {
  if (resource === 'memory') return formatBytes(value)
  if (resource === 'runtime') return tableSeconds(value)
  return fixedKeeping(value, 1).replace(/\.0$/, '')
}

/** What to ask for next time, a line for each thing: its name, and words. */
const nextRequestLines = (parts: readonly RequestPart[]): (readonly [string, string])[] =>
  parts.map(({ resource, used, asked, ask, verdict }) => {
    const text = (value: number): string => figure(resource, value)
    const had = asked === null ? `used ${text(used)}` : `used ${text(used)} of ${text(asked)} asked`
    return [names[resource], `${had}: ${words(verdict, text(ask))}`]
  })

function words(verdict: RequestPart['verdict'], ask: string): string {
  switch (verdict) {
    case 'right':
      return 'right'
    case 'too-much':
      return `too much, ask for ${ask}`
    case 'too-little':
      return `too little, ask for ${ask}`
    case 'not-asked':
      return `ask for ${ask}`
  }
}

/** The same with how far it can be trusted; nothing where nothing was measured. */
export const nextTime = (next: readonly RequestPart[]): string[] =>
  next.length === 0
    ? []
    : [
        ...nextRequestLines(next).map(([name, text]) => `${name}: ${text}`),
        'If it did what it should: nobody told how it ended, and peaks between rounds are not seen.',
      ]

/** As scripts read it. */
export const nextRequestJson = (parts: readonly RequestPart[]): object[] =>
  parts.map(({ resource, used, asked, ask, verdict }) => ({ resource, used, asked, ask, verdict }))
