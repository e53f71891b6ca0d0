import { execFile } from 'node:child_process'

interface Check {
  readonly name: string
  readonly command: readonly [string, ...string[]]
}

// publint is not among them: it looks at what is built, so `npm test` runs it after the build.
const checks: readonly Check[] = [
  { name: 'types', command: ['tsc', '--noEmit', '-p', '.'] },
  { name: 'browser', command: ['tsc', '--noEmit', '-p', 'src/browser'] },
  { name: 'web', command: ['tsc', '--noEmit', '-p', 'web'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'unused', command: ['knip', '--no-progress', '--treat-config-hints-as-errors'] },
  // What only tests import is not used either.
  {
    name: 'tests only',
    command: ['knip', '--no-progress', '--production', '--include', 'files,exports'],
  },
  { name: 'boundaries', command: [process.execPath, 'tools/check-boundaries.ts'] },
]

interface Verdict {
  readonly name: string
  readonly passed: boolean
  readonly seconds: number
  readonly output: string
}

function runCheck({ name, command: [program, ...parameters] }: Check): Promise<Verdict> {
  const start = performance.now()
  return new Promise((resolve) => {
    execFile(program, parameters, { maxBuffer: 64 * 1024 ** 2 }, (error, stdout, stderr) => {
      const seconds = (performance.now() - start) / 1000
      // A program that could not be started has printed nothing; its error says why.
      const output = `${stdout}${stderr}`.trim() || (error?.message ?? '')
      resolve({ name, passed: error === null, seconds, output })
    })
  })
}

// `npm run` puts the tools on the path; without npm this does.
process.env['PATH'] = `node_modules/.bin:${process.env['PATH'] ?? ''}`
const verdicts = await Promise.all(checks.map(runCheck))
for (const { passed, output, name } of verdicts) {
  if (!passed) console.error(`── ${name}\n${output}\n`)
}
for (const { name, passed, seconds } of verdicts) {
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${name.padEnd(10)} ${seconds.toFixed(1)} s`)
}
if (verdicts.some(({ passed }) => !passed)) process.exitCode = 1
