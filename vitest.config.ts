import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
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

/** Most of them wait for programs that they started: more workers than Vitest gives a small machine. */
const maxWorkers = Math.max(3, availableParallelism() - 1)

/** What writes ledgers, for which it would wait for the disk more than for anything else, and measures nothing of disks. */
const ledgers = [
  'src/{cli,monitor,record,service,store,training}/**/*.test.ts',
  'test/one-figure.test.ts',
]
const inMemory = memoryFolder()
const env = inMemory === undefined ? {} : { TMPDIR: inMemory }

export default defineConfig({
  test: {
    reporters: ['default', new SecondTries()],
    projects: [
      {
        test: {
          ...common,
          name: 'inner',
          include: inner,
          isolate: false,
          maxWorkers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'all',
          retry,
          include: ['{src,tools,test,bench}/**/*.test.ts'],
          exclude: ['test/exact/**', ...inner, ...ledgers],
          maxWorkers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          name: 'ledgers',
          retry,
          include: ledgers,
          env,
          maxWorkers,
          sequence: { groupOrder: 1 },
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
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...common,
          name: 'alone',
          retry,
          include: [...alone],
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
