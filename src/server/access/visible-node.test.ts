import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeJob, nodeRound } from '../../../test/node/made-round.ts'
import type { PolicyFinding } from '../../model/violation.ts'
import { agentQuestions } from '../../service/agent-questions.ts'
import { findHogs } from '../../service/nodes/find-hogs.ts'
import { nodeUsage } from '../../service/nodes/node-usage.ts'
import { openNodesFor } from '../../service/nodes/open-nodes.ts'
import { reservationAnswers } from '../../service/nodes/reservations.ts'
import { openNodeStore } from '../../store/node/open-node.ts'
import { ownerOfAll, plainUser, type Viewer } from './viewer.ts'
import { askNode } from './visible-node.ts'

const start = 1_772_409_600
const span = { from: start, to: start + 3600 }
const everything = { ...span, users: [], accounts: [], hosts: [], policies: [] }

/** Whose a job is, and what account it runs on; bob works for two. */
const ran = [
  ['ada', 'ml'],
  ['bob', 'ml'],
  ['bob', 'physics'],
  ['cyd', 'physics'],
  ['dan', null],
] as const
const idOf = (user: string, account: string | null): string => `${user}-${account ?? 'none'}`

let folder: string
let path: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
  path = join(folder, 'node.db')
  const store = openNodeStore(path)
  const reservation = { cpus: 4, memoryBytes: null, gpus: null, runtimeSeconds: null } as const
  const jobs = ran.map(([user, account]) =>
    nodeJob(idOf(user, account), user, 30, {
      kind: 'slurm',
      account,
      command: `program-of-${idOf(user, account)}`,
      reservation: { ...reservation, source: 'slurm' },
    }),
  )
  for (const minute of [1, 2, 3]) store.addRound(nodeRound(start + 60 * minute, jobs))
  const ofJobs = ran.map(([user, account]) => broken(user, account))
  const findings = [...ofJobs, ofUser('bob')]
  store.violations.keep({ host: 'node01', at: start + 180, findings, ended: [] })
  store.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

const broken = (user: string, account: string | null): PolicyFinding => ({
  policy: 'greedy',
  severity: 'warning',
  subject: {
    host: 'node01',
    user,
    account,
    job: { epoch: 'first boot', kind: 'slurm', id: idOf(user, account), command: 'a.out' },
  },
  firstSeen: start,
  lastSeen: start + 180,
  heldSeconds: 180,
  text: `${user} reserves much`,
  suppressedBecause: null,
})

/** One on a user as a whole has no account. */
function ofUser(user: string): PolicyFinding {
  const finding = broken(user, null)
  return { ...finding, policy: 'crowd', subject: { ...finding.subject, job: null } }
}

const manager = (user: string, accounts: readonly string[], users: readonly string[] = []) => ({
  ...plainUser(user),
  role: 'manager' as const,
  accounts,
  users,
})

/** Who asks, and the jobs that they see. */
const seen: readonly (readonly [string, Viewer, readonly string[]])[] = [
  ['an administrator', ownerOfAll('root'), ran.map(([user, account]) => idOf(user, account))],
  ['a user', plainUser('bob'), ['bob-ml', 'bob-physics']],
  ['a user without jobs', plainUser('eve'), []],
  ['a manager of an account', manager('eve', ['ml']), ['ada-ml', 'bob-ml']],
  ['a manager who has jobs', manager('dan', ['ml']), ['ada-ml', 'bob-ml', 'dan-none']],
  [
    'a manager of two',
    manager('eve', ['ml', 'physics']),
    ran.slice(0, 4).map(([user, account]) => idOf(user, account)),
  ],
  [
    'a manager of an account and a user',
    manager('eve', ['ml'], ['cyd']),
    ['ada-ml', 'bob-ml', 'cyd-physics'],
  ],
  ['a manager of an account that nobody has', manager('eve', ['chemistry']), []],
  ['a manager of the account without a name', manager('eve', ['']), []],
]

describe.each(seen)('%s of nodes sees, of what they show,', (_, viewer, jobs) => {
  const ask = <T>(question: Parameters<typeof askNode<T>>[2]): Promise<T> =>
    askNode<T>(
      { openNode: async (whose) => openNodesFor({ kind: 'file', path }, whose) },
      viewer,
      question,
      (why) => {
        throw new Error(why)
      },
    )
  const owners = jobs.map((id) => id.split('-')[0] ?? '')
  const onAccount = jobs.map((id) => id.split('-')[1] ?? '')

  it('the jobs', async () => {
    const found = await ask((node) => node.jobs({}))
    expect(found.map(({ id }) => id).toSorted()).toEqual(jobs.toSorted())
    expect(found.map(({ command }) => command).toSorted()).toEqual(
      jobs.map((id) => `program-of-${id}`).toSorted(),
    )
  })

  it('the use, with all that is not theirs in one row', async () => {
    const query = { metric: 'cpu', ...everything, offsetsBetween: () => [] } as const
    const table = await ask((node) =>
      nodeUsage(node, { ...query, by: ['user', 'account', 'command'] }),
    )
    const told = table.rows.map(({ keys }) => keys.join(' ')).toSorted()
    const own = jobs.map((id, at) => {
      const account = onAccount[at] === 'none' ? '' : onAccount[at]
      return `${owners[at]} ${account} program-of-${id}`
    })
    const others = jobs.length === ran.length ? [] : ['others others others']
    expect(told).toEqual([...own, ...others].toSorted())
    expect(table.total).toBe(30 * 3 * ran.length)
    const byUser = await ask((node) => nodeUsage(node, { ...query, by: ['user'] }))
    const sums = new Map(byUser.rows.map(({ keys, amount }) => [keys[0], amount]))
    for (const owner of owners)
      expect(sums.get(owner)).toBe(90 * owners.filter((one) => one === owner).length)
  })

  it('the findings of policies', async () => {
    const { violations } = await ask((node) => findHogs(node, everything))
    const ofJobs = violations.filter(({ policy }) => policy === 'greedy')
    expect(ofJobs.map(({ subject }) => subject.job?.id ?? '').toSorted()).toEqual(jobs.toSorted())
    const isOwnUser = viewer.users === null || viewer.user === 'bob'
    expect(violations.some(({ policy }) => policy === 'crowd')).toBe(isOwnUser)
  })

  it('the reservations', async () => {
    const { uses } = await ask((node) => reservationAnswers(node, everything, 'account'))
    const counted = uses.map(({ name, jobs: count }) => [name ?? 'none', count] as const)
    const wanted = Map.groupBy(onAccount, (name) => name)
    expect(new Map(counted)).toEqual(new Map([...wanted].map(([name, of]) => [name, of.length])))
  })

  it('names of users, accounts and commands, and no others', async () => {
    const { user, account } = await ask(async (node) => ({
      user: await node.names('user'),
      account: await node.names('account'),
    }))
    const others = viewer.users === null ? [] : ['others']
    expect(new Set(user)).toEqual(new Set([...owners, ...others]))
    expect(new Set(account.filter(Boolean))).toEqual(
      new Set([...onAccount.filter((name) => name !== 'none'), ...others]),
    )
  })
})

describe('an agent that has just ended', () => {
  it('has kept nothing, as if there had never been one', async () => {
    const openNode = async () => agentQuestions(join(folder, 'agent.sock'), () => {})
    const answer = await askNode<unknown>(
      { openNode },
      ownerOfAll('root'),
      (node) => node.jobs({}),
      (why) => why,
    )
    expect(answer).toContain('nobody answers at')
  })
})
