import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { figuresOf } from '../../analysis/policies/figure-list.ts'
import { formatSpecError } from '../../workflow/spec/problem.ts'
import { readPolicies, type PolicyConfig } from './read-policies.ts'
import { shippedAsPolicies } from './resolve-policies.ts'
import { shippedPolicies } from './shipped.ts'

const read = (text: string) => readPolicies(text, 'policies.yaml', (path) => `/etc/${path}`)

function config(text: string): PolicyConfig {
  const found = read(text)
  if (found.kind !== 'ok') throw new Error(found.errors.map(formatSpecError).join('\n'))
  return found.value
}

const errors = (text: string): string[] => {
  const found = read(text)
  return found.kind === 'ok' ? [] : found.errors.map(formatSpecError)
}

const policyIn = (text: string, name: string) =>
  config(text).policies.find((policy) => policy.name === name)

describe('a policy file', () => {
  it('has the shipped policies, and each says what it judges and what to do', () => {
    const { policies, telling } = config('tell: {resolved: true}\n')
    expect(policies).toEqual(shippedAsPolicies())
    expect(policies.map(({ name }) => name)).toEqual(shippedPolicies.map(({ name }) => name))
    expect(telling).toEqual({
      alerts: null,
      administrators: null,
      users: [],
      tellsResolved: true,
    })
    const sentences = /^[A-Z][^\n]*\.$/
    for (const { name, scope, says, explanation, advice, conditions } of policies) {
      expect(says, name).toMatch(/^[a-z][^\n]*[^.]$/)
      expect(explanation, name).toMatch(sentences)
      expect(advice, name).toMatch(sentences)
      expect(conditions, name).not.toEqual([])
      const figures: readonly string[] = figuresOf(scope)
      for (const { figure } of conditions) expect(figures, name).toContain(figure)
    }
  })

  it('changes a shipped policy figure by figure', () => {
    const changed = policyIn(
      'policies:\n  - {name: cpuhog, for: 2h, when: {cpu_peak_of_node: {at_least: 50%}}}\n',
      'cpuhog',
    )
    expect(changed).toMatchObject({ forSeconds: 7200, scope: 'job' })
    expect(changed?.conditions).toContainEqual({
      figure: 'cpu_peak_of_node',
      is: 'at least',
      threshold: 0.5,
    })
    expect(changed?.conditions).toHaveLength(4)
  })

  it('takes amounts in the units of their figures', () => {
    const { conditions } = policyIn(
      'shipped: false\npolicies:\n  - name: mine\n    when: {runtime_seconds: {above: 2h}, memory_bytes: {at_least: 20g}, cpu_of_node: {below: 0.5, at_least: 10%}}\n',
      'mine',
    ) ?? { conditions: [] }
    expect(conditions.map(({ is, threshold }) => [is, threshold])).toEqual([
      ['above', 7200],
      ['at least', 20 * 2 ** 30],
      ['at least', 0.1],
      ['below', 0.5],
    ])
  })

  it('exempts for one policy, and for all', () => {
    const text =
      'exempt: {users: [backup]}\npolicies:\n  - {name: whale, exempt: {commands: [slurmd]}}\n'
    expect(policyIn(text, 'whale')?.exempt).toEqual({
      users: ['backup'],
      commands: ['slurmd'],
      accounts: [],
      kinds: [],
    })
    expect(policyIn(text, 'greedy')?.exempt.users).toEqual(['root', 'backup'])
  })

  it('says all that is wrong, with the line and what may be meant', () => {
    const found = errors(`polices: []
policies:
  - {name: cpuhog, fro: 2h}
  - {name: cpuhogs, enabled: false}
  - {name: mine, scope: user, when: {cpu_of_nod: {at_least: 10%}}}
  - {name: other, when: {runtime_seconds: {at_least: soon}}}
  - {name: third, when: {cpu_cores: {}}}
`)
    expect(found).toEqual([
      'policies.yaml:1:1 polices: unknown key. Did you mean "policies"?',
      'policies.yaml:3:20 policies.cpuhog.fro: unknown key. Did you mean "for"?',
      expect.stringMatching(/^policies\.yaml:7:\d+ .*needs at_least, at_most, above or below/),
    ])
    const deeper = errors(`policies:
  - {name: cpuhogs, enabled: false}
  - {name: mine, scope: user, when: {cpu_of_nod: {at_least: 10%}}}
  - {name: other, when: {runtime_seconds: {at_least: soon}}}
  - {name: late, scope: job, over: 7d, when: {cpu_cores: {above: 1}}}
`)
    expect(deeper).toEqual([
      expect.stringMatching(/^policies\.yaml:2:\d+ .*no shipped policy.*Did you mean "cpuhog"\?$/),
      expect.stringMatching(
        /^policies\.yaml:3:\d+ .*no figure cpu_of_nod\. Did you mean "cpu_of_node"\?$/,
      ),
      expect.stringMatching(/^policies\.yaml:4:\d+ .*must be a duration, such as 2h/),
      expect.stringMatching(/^policies\.yaml:5:\d+ .*only policies of scope history look back/),
    ])
  })
})

describe('the page on policies', () => {
  const page = readFileSync(new URL('../../../docs/policies.md', import.meta.url), 'utf8')

  it('has a file that can be read as it stands', () => {
    const [, text = ''] = /```yaml\n([^]*?)```/.exec(page) ?? []
    expect(policyIn(text, 'memory-hog')).toMatchObject({ scope: 'user', forSeconds: 900 })
    expect(policyIn(text, 'low-load')?.isEnabled).toBe(true)
    expect(config(text).telling).toEqual({
      alerts: '/etc/alerts.yaml',
      administrators: ['ops'],
      users: ['mail'],
      tellsResolved: true,
    })
  })

  it('names every shipped policy', () => {
    const names = shippedPolicies.map(({ name }) => name)
    // `zero-gpu` is told again, under other names.
    const told = names.filter((name) => !name.startsWith('zero-gpu-'))
    expect(told.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })
})
