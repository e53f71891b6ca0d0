import { defineConfig } from 'rolldown'

/** What `run` and `watch` show at the end, and other commands too. */
const drawsSummaries =
  /src.(render.(summary-text|display-width|figures|job-facts|printable|record-json|record-words|sparkline|json-text|usage-json|profile-json|iso-time)|analysis.(bound-by|rates|statistics))\./

/**
 * The program as a few CommonJS files: 45 separate modules take 20 ms to load, more than a whole
 * `jobmeter run -- true` may cost over bare Node. What measures and records is one file, what draws is another,
 * and each command adds its own. The library stays as the compiler wrote it.
 */
const startsEverything =
  /src.(cli.(main|commands|console|user-error|version|command)|system.real-(files|output)|render.style|store.errors|model.(reading|bytes|duration))/

export default defineConfig({
  input: 'src/cli/main.ts',
  platform: 'node',
  external: ['koffi'],
  output: {
    format: 'cjs',
    dir: 'dist/cli',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    minify: true,
    codeSplitting: {
      groups: [
        { name: 'start', test: startsEverything },
        { name: 'ledger', test: /src.(store|cli.ledger)/ },
        {
          name: 'measure',
          test: /src.(model|system|sensors|meter|launch|cli.(recording|params|run\.|run-definition|terminal-role))/,
        },
        { name: 'summary', test: drawsSummaries },
      ],
    },
  },
})
