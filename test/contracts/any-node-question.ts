import fc from 'fast-check'
import { jobKinds } from '../../src/model/node-round.ts'
import { usageKeys, usageMetrics } from '../../src/model/node-usage.ts'
import { jobOrders } from '../../src/store/node/job-query.ts'
import { dictionaries } from '../../src/store/node/names.ts'
import { questionNames } from '../../src/store/node/questions.ts'

/** Questions are of the hours after this moment, and of these users. */
export const askedAround = 1_772_409_600
export const askedUsers = ['ada', 'bob', 'cyd']
/** What belongs to somebody has their name in it, so that any of it can be found in an answer. */
export const pidOf = (user: string): number => 700_000 + askedUsers.indexOf(user)

const names = fc.array(
  fc.constantFrom('ada', 'bob', 'others', 'bob-account', 'bob-program-1', 'node1', 'program'),
  { maxLength: 2 },
)
const whose = { users: names, hosts: names, accounts: names, commands: names }
const time = fc.integer({ min: askedAround - 3600, max: askedAround + 40_000 })
const anyOf = (record: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
  fc.record(record, { requiredKeys: [] })

/** All that can be asked: a question that is not here fails the test below. */
const questions: Record<string, fc.Arbitrary<unknown[]>> = {
  jobs: fc.tuple(
    anyOf({
      ...whose,
      kinds: fc.subarray([...jobKinds]),
      pid: fc.constantFrom(...askedUsers.map(pidOf)),
      id: fc.constantFrom('bob-1-0', 'ada-1-0'),
      idStart: fc.constantFrom('bob', 'ada'),
      rowId: fc.nat(200),
      order: fc.constantFrom(...jobOrders),
      from: time,
      to: time,
      state: fc.constantFrom('running', 'completed'),
      limit: fc.integer({ min: 0, max: 5 }),
    }),
  ),
  usage: fc.tuple(
    fc.record({
      by: fc.uniqueArray(fc.constantFrom(...usageKeys), { maxLength: 4 }),
      metric: fc.constantFrom(...usageMetrics),
      from: fc.constant(0),
      to: fc.constant(4e9),
      offsets: fc.constant([]),
      ...whose,
    }),
  ),
  // Rows have small numbers: some of these are others'.
  series: fc.tuple(fc.record({ rowId: fc.nat(200), seenSeconds: fc.constant(60) })),
  states: fc.tuple(fc.record({ from: time, to: time, hosts: names })),
  wall: fc.tuple(
    fc.record({ from: time, to: time, steps: fc.integer({ min: 1, max: 50 }), hosts: names }),
  ),
  hostCurve: fc.tuple(fc.record({ host: fc.constantFrom('node0', 'node1'), from: time, to: time })),
  stretches: fc.tuple(time, time),
  boots: fc.constant([]),
  extents: fc.constant([]),
  hours: fc.constant([]),
  neighbours: fc.tuple(time, time, names),
  wasLooked: fc.tuple(time, time, names),
  names: fc.tuple(fc.constantFrom(...dictionaries)),
  violations: fc.tuple(
    anyOf({ policies: names, users: names, hosts: names, from: time, to: time }),
  ),
  judgedHosts: fc.constant([]),
}

/** Any of them, with anything that may be asked. */
export const anyQuestion = fc
  .constantFrom(...questionNames)
  .chain((ask) => (questions[ask] ?? fc.constant([])).map((given) => ({ ask, with: given })))

/** Which questions are asked: one that is new must be added. */
export const askedOf = Object.keys(questions)
