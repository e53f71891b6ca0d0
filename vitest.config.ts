import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'
import { memoryFolder } from './test/memory-folder.ts'
import { SecondTries } from './test/second-tries.ts'

const common = {
  globalSetup: ['test/setup.ts'],
  setupFiles: ['test/seed.ts'],
  // Tests start processes, change signal handlers and read /proc/self: unless said otherwise, each file has its own process.
  pool: 'forks' as const,
  // Far more than any of them takes: machines are shared.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
}

/** On CI, what starts real programs is tried again where it failed, and `SecondTries` tells of it. */
const retry = process.env['CI'] === undefined ? 0 : 1

/** What measures the whole node, how long things take, or looks that come in time: one file at a time, after all others. */
const alone = [
  'test/exact/{benchmark,benchmark-runner,memory,profile-containers,threads}.test.ts',
  'test/exact/node-*.test.ts',
  'test/exact/trees/*.test.ts',
]

/** What leaves its process as it found it: files of it share one, which saves 0.3 s of CPU for each. */
const inner = [
  'src/{agent,alert,analysis,import,meter,model,render,sensors,server,slurm,workflow}/**/*.test.ts',
]

/** The same of what starts programs, and asks them and their files alone. */
const programs = [
  'test/{alerts,browser,endings,fuzz,import,live,server,specs,web,workflow}/**/*.test.ts',
  'test/faults/{job-first,reading,removed-ledger,spool,workflow-lock}.test.ts',
  'test/node/{access,agent,agent-kill9,faults,hogs,policy-alerts,questions,slurm}.test.ts',
  'test/team/{questions,serve-team,team-commands}.test.ts',
]

/** What writes ledgers, for which it would wait for the disk more than for anything else, and measures nothing of disks. */
const ledgers = ['src/{cli,service,store}/**/*.test.ts']
/** The same of what measures its own process, or changes it. */
const recorders = ['src/{monitor,record,training}/**/*.test.ts', 'test/one-figure.test.ts']
const inMemory = memoryFolder()
const env = inMemory === undefined ? {} : { TMPDIR: inMemory }

/** Most of them wait for programs that they started: more workers than Vitest gives a small machine. */
const maxWorkers = Math.max(4, availableParallelism() - 1)
const together = { ...common, maxWorkers, sequence: { groupOrder: 0 } }

export default defineConfig({
  test: {
    reporters: ['default', new SecondTries()],
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...together, name: 'inner', include: inner, isolate: false } },
      { test: { ...together, name: 'programs', include: programs, isolate: false, retry } },
      { test: { ...together, name: 'ledgers', include: ledgers, isolate: false, retry, env } },
      { test: { ...together, name: 'recorders', include: recorders, retry, env } },
      {
        test: {
          ...together,
          name: 'all',
          retry,
          include: ['{src,tools,test,bench}/**/*.test.ts'],
          exclude: ['test/exact/**', ...inner, ...programs, ...ledgers, ...recorders],
        },
      },
      {
        test: {
          ...common,
          name: 'exact',
          retry,
          include: ['test/exact/**/*.test.ts'],
          exclude: [...alone],
          // These measure jobs by counters of the jobs' own, to a few percent, and mostly wait for them: three at a time,
          // after the others.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          name: 'alone',
          retry,
          include: [...alone],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
