import { defineConfig } from 'vitest/config'

const common = {
  globalSetup: ['test/setup.ts'],
  setupFiles: ['test/seed.ts'],
  // Tests start processes, change signal handlers and read /proc/self: each file has its own process.
  pool: 'forks' as const,
  testTimeout: 20_000,
  hookTimeout: 30_000,
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'all',
          include: ['{src,tools,test,bench}/**/*.test.ts'],
          exclude: ['test/exact/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'exact',
          include: ['test/exact/**/*.test.ts'],
          // These measure CPU and memory to a few percent: one at a time, after the others.
          fileParallelism: false,
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
