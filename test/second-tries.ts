import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Of what was expected and what came instead. */
const mostDiffLines = 30

/** Lists, at the end, the tests that passed only when tried again, with what went wrong before: a retry must hide nothing. */
export class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const again = modules.flatMap((module) =>
      [...module.children.allTests('passed')].filter((test) => test.diagnostic()?.flaky),
    )
    if (again.length === 0) return
    console.log(`\nPassed only at the second try: ${again.length}`)
    for (const test of again) console.log(describe(test))
  }
}

function describe(test: TestCase): string {
  const first = test.result().errors?.[0]
  const lines = (first?.stack ?? first?.message ?? 'no error was kept').split('\n')
  const own = lines.filter(
    (line) => !line.includes('/node_modules/') && !line.includes('<anonymous>'),
  )
  const diff = first?.diff?.split('\n').slice(0, mostDiffLines) ?? []
  return [`\n  ${test.module.relativeModuleId} > ${test.fullName}`, ...own, ...diff].join('\n    ')
}
