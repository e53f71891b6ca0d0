import { z, type OpenAPIHono } from '@hono/zod-openapi'
import { heatMap } from '../../../analysis/node/heat-map.ts'
import { reservationKeys } from '../../../analysis/node/reservation-use.ts'
import { usageKeys, usageMetrics } from '../../../model/node-usage.ts'
import { askNode } from '../../access/visible-node.ts'
import { Problem } from '../../problem.ts'
import { reservations, usage, usageHeat } from '../../schemas/node.ts'
import { parseHours, parseWeekdays } from '../../../model/week-time.ts'
import { emptyAnswer } from '../../../render/node/empty-answer.ts'
import {
  idleGpusJson,
  reservationJson,
  toTalkToJson,
} from '../../../render/node/reservations-json.ts'
import { heatData, heatFacts } from '../../../render/node/heat-data.ts'
import { usageCsv, usageJson } from '../../../render/node/usage.ts'
import { offsetsBetween } from '../../../render/units/local-offsets.ts'
import { nodeUsage } from '../../../service/nodes/node-usage.ts'
import { reservationAnswers } from '../../../service/nodes/reservations.ts'
import { whyNothing } from '../../../service/nodes/why-nothing.ts'
import type { Served, ServerEnv } from '../../served.ts'
import { operation, serve } from '../operation.ts'
import { names, several, spanIn } from '../query.ts'
import { given } from '../given.ts'
import { span, whose, whoseIn } from './filters.ts'

const heatKeys = ['user', 'host', 'command', 'account'] as const

const getUsage = operation({
  id: 'getUsage',
  path: '/api/v1/usage',
  tag: 'Nodes',
  summary: 'How full the nodes were, when, and by whom',
  query: {
    by: several(z.enum(usageKeys), 'what to tell it by'),
    metric: z.enum(usageMetrics).default('cpu').openapi({ description: 'what to add up' }),
    on: names('only on these days: tuesday, mon-thu, weekdays, weekend'),
    between: names('only in these hours of the day: 8-12, 22-6'),
    ...span,
    ...whose,
    format: z.enum(['json', 'csv']).default('json'),
  },
  answer: usage,
  others: {
    200: {
      description: 'How full the nodes were.',
      content: { 'application/json': { schema: usage }, 'text/csv': { schema: z.string() } },
    },
  },
})

const getUsageHeat = operation({
  id: 'getUsageHeat',
  path: '/api/v1/usage/heat',
  tag: 'Nodes',
  summary: 'How full each hour of the week was, in all and by whom',
  query: {
    by: z.enum(heatKeys).optional().openapi({ description: 'whose single maps are wanted' }),
    metric: z.enum(usageMetrics).default('cpu').openapi({ description: 'what to add up' }),
    ...span,
    ...whose,
  },
  answer: usageHeat,
})

const getReservations = operation({
  id: 'getReservations',
  path: '/api/v1/reservations',
  tag: 'Nodes',
  summary: 'What jobs reserved, what of it they used, and which reserved GPUs are idle',
  query: {
    by: z.enum(reservationKeys).default('user'),
    ...span,
    user: whose.user,
    host: whose.host,
    account: whose.account,
  },
  answer: reservations,
})

const usualDays = 7
/** Nobody reads more; who left most comes first. */
const mostRows = 500

export function usageRoutes(api: OpenAPIHono<ServerEnv>, served: Served): void {
  const now = (): number => served.system.clock.wallSeconds()
  serve(api, getUsage, ({ query, viewer }) => {
    const { metric, zone } = query
    const by = [...new Set(query.by ?? ['user' as const])]
    const asked = { ...spanIn(query, now(), usualDays), ...whoseIn(query) }
    const weekdays = partsOf('on', query.on, parseWeekdays)
    const hours = partsOf('between', query.between, parseHours)
    return askNode<object>(
      served,
      viewer,
      async (node) => {
        const table = await nodeUsage(node, {
          by,
          metric,
          ...asked,
          ...given({ weekdays, hours }),
          offsetsBetween: (from, to) => offsetsBetween(from, to, zone),
        })
        if (query.format === 'csv') return csvFile('usage', usageCsv(table, { by, metric }))
        const why =
          table.rows.length > 0 ? null : emptyAnswer(await whyNothing(node, asked), zone).trim()
        return { ...usageJson(table, { by, metric }), why_none: why }
      },
      (why) => ({ by, metric, unit: '', total: null, capacity: null, rows: [], why_none: why }),
    )
  })
  serve(api, getUsageHeat, ({ query, viewer }) => {
    const { metric, zone } = query
    const time = spanIn(query, now(), usualDays)
    const asked = { ...time, ...whoseIn(query) }
    const view = { metric, by: query.by ?? null, made: `jobmeter ${served.version}` }
    const by = ['hour-of-week' as const, ...(query.by === undefined ? [] : [query.by])]
    const local = (from: number, to: number) => offsetsBetween(from, to, zone)
    return askNode<object>(
      served,
      viewer,
      async (node) => {
        const map = heatMap(await nodeUsage(node, { by, metric, ...asked, offsetsBetween: local }))
        const isEmpty = map.all.cells.every(({ level }) => level === null)
        const why = isEmpty ? emptyAnswer(await whyNothing(node, asked), zone).trim() : null
        const facts = heatFacts(map, { metric, ...time, zone })
        return { ...heatData(map, { ...view, facts }), why_none: why }
      },
      (why) => ({ ...view, ...noHeat, why_none: why }),
    )
  })
  serve(api, getReservations, ({ query, viewer }) =>
    askNode<object>(
      served,
      viewer,
      async (node) => {
        const asked = { ...spanIn(query, now(), usualDays), ...whoseIn(query) }
        const { uses, idle, toTalkTo } = await reservationAnswers(node, asked, query.by)
        const why = uses.length > 0 ? null : emptyAnswer(await whyNothing(node, asked), query.zone)
        return {
          by: query.by,
          rows: uses.slice(0, mostRows).map(reservationJson),
          idle_gpus: idle.slice(0, mostRows).map(idleGpusJson),
          to_talk_to: toTalkTo.map(toTalkToJson),
          why_none: why?.trim() ?? null,
        }
      },
      (why) => ({ by: query.by, rows: [], idle_gpus: [], to_talk_to: [], why_none: why }),
    ),
  )
}

const noHeat = {
  facts: [],
  observedSeconds: [],
  capacity: [],
  amounts: [],
  parts: [],
  leftOut: 0,
}

const csvFile = (name: string, text: string): Response =>
  new Response(text, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
    },
  })

/** Undefined where nothing was asked for: all of them count. */
function partsOf(
  name: string,
  texts: readonly string[] | undefined,
  parse: (text: string) => number[] | undefined,
): readonly number[] | undefined {
  const parts = texts?.flatMap((text) => {
    const found = parse(text)
    if (found === undefined) throw new Problem(400, `${name}: this is not understood`)
    return found
  })
  return parts === undefined ? undefined : [...new Set(parts)]
}
