import type { BuildOptions } from 'rolldown'

/**
 * The program is written as a few CommonJS files to dist/cli: 45 separate modules take 20 ms to load, more than a whole
 * `jobmeter run -- true` may cost over bare Node. What is used together is one file, and each command adds its own. The
 * library stays as the compiler wrote it.
 */

/** What every command needs. */
const startsEverything =
  /src.(cli.(main|commands|version|command|terminal.console|run.(which-run|metrics-option|run-(definition|spec-definition|settings)))|service.user-error|system.(real-(files|output)|whole-file|link-path|random-id)|render.text.(style|printable)|store.errors|model.(reading|bytes|duration|metrics))/

/**
 * What `run` needs for a short job, up to its summary; the runner of workflows and most other commands do too. What is only
 * for jobs in containers is left out, and so are gauges that are seldom wanted.
 */
const measures =
  /src.(?!(sensors|launch|meter.gauges).container|sensors.cgroup.throttling|system.api-socket)(model(?!.prices)|system(?!.(nvml|tool-output)\.|.socket-diagnostics)|sensors(?!.(gpu|netlink|energy|procfs.(stat-name|socket-inodes)))|meter(?!.gauges.(gpu.[\w-]+\.ts|optional))|launch|store.(network-disk|private-file|spool.spool-(directory|file|lines|names)|ledger.(location|ledger-marks))|record.(recording|owner|ledger-place)|service.price-path|cli.(run.run-summary|ledger.ledger-place|terminal.ending-signals)|render.(record.(summary-text|job-facts|record-words)|text.(display-width|sparkline)|units.(figures|usage-figure))\.|analysis.(job.(activity|bound-by|out-of-memory)|series.(busy-threads|rates|sample-value|steady-cpu)|statistics.statistics)\.)/

/** What reads GPUs: loaded where there is one, and only for jobs that last. */
const readsGpus = /src.(system.(nvml|tool-output)\.|sensors.gpu.|meter.gauges.gpu.[\w-]+\.ts)/

/** A record as JSON, and as text made of that. */
const writesRecords =
  /src.render.(record.(record-json|usage-json|profile-json|container-json)|text.json-text|units.iso-time)\./

export const bundleOptions = {
  input: 'src/cli/main.ts',
  platform: 'node',
  external: ['koffi'],
  output: {
    format: 'cjs',
    dir: 'dist/cli',
    cleanDir: true,
    entryFileNames: '[name].cjs',
    // Compiled code is kept by these names: another content must be another name.
    chunkFileNames: '[name]-[hash].cjs',
    minify: true,
    // As bin/jobmeter.cjs calls them. One byte a character, too: others take four times as long to read.
    charset: 'ascii',
    postBanner: '(function (exports, require, module, __filename, __dirname) {',
    postFooter: '})',
    codeSplitting: {
      groups: [
        { name: 'start', test: startsEverything },
        { name: 'measure', test: measures },
        { name: 'ledger', test: /src.(store|record.open-ledger|cli.ledger.ledger)/ },
        { name: 'records', test: writesRecords },
        { name: 'gpu', test: readsGpus },
      ],
    },
  },
} as const satisfies BuildOptions
