import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tools/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/setup.ts'],
    // Tests start processes, change signal handlers and read /proc/self: each file has its own process.
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
