import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildOptions, Plugin } from 'rolldown'

/**
 * The program is written as a few CommonJS files to dist/cli: 45 separate modules take 20 ms to load, more than a whole
 * `jobmeter run -- true` may cost over bare Node. What is used together is one file, and each command adds its own. The
 * library stays as the compiler wrote it.
 */

/**
 * `start` is what every command needs, `measuring` what `run` needs for a short job, up to its summary, as the runner of
 * workflows and most other commands do too. A line for each module: what is not named there is loaded later, by who needs it.
 */
const loadedFirst = readFileSync(join(import.meta.dirname, 'short-job-modules.txt'), 'utf8')
  .trimEnd()
  .split('\n')
const root = join(import.meta.dirname, '..')

/** What most other commands need besides, and a short job does not. */
const neededByMost = new Set(
  [
    'cli/command/group.ts',
    'cli/command/status-filter.ts',
    'launch/allowance.ts',
    'launch/leftovers.ts',
    'launch/strays.ts',
    'launch/visible-gpus.ts',
    'model/brief-record.ts',
    'model/claim.ts',
    'model/device-lists.ts',
    'model/job-state.ts',
    'model/stdio-path.ts',
    'model/usage-names.ts',
    'model/workflow.ts',
    'record/owners.ts',
    'store/spool/life-sign.ts',
    'system/become-user.ts',
    'system/steady-time.ts',
  ].map((name) => join(root, 'src', name)),
)

function modulesOf(part: 'start' | 'measuring'): (id: string) => boolean {
  const named = new Set(
    loadedFirst.flatMap((line) =>
      line.startsWith(`${part} `) ? [join(root, line.slice(part.length + 1))] : [],
    ),
  )
  return (id) => named.has(id)
}

/** What reads GPUs: loaded where there is one, and only for jobs that last. */
const readsGpus =
  /src.(system.(nvml|tool-output|helper-(line|end))\.|sensors.gpu.|meter.gauges.gpu.[\w-]+\.ts)/

/** What speaks to PostgreSQL: loaded when a team is asked, or sent to. */
const speaksToTeams =
  /src.store.(postgres|outbox).|node_modules.(pg|pg-[\w-]+|pgpass|split2|postgres-[\w-]+|xtend)./

/** A record as JSON, and as text made of that. */
const writesRecords =
  /src.render.(record.(record-json|usage-json|profile-json|container-json)|text.json-text|units.iso-time)\./

const exportedByGetter =
  /^Object\.defineProperty\(exports, "([\w$]+)", \{\s+enumerable: true,\s+get: function \(\) \{\s+return ([\w$]+);\s+\}\s+\}\);$/gm

/**
 * The bundler exports every name by a getter, so that others see a later change of it. Nothing that our own modules export
 * changes once they have run, except what they declare with `let`, so plain properties do. The getters of a short job
 * were a sixth of all that V8 restores before it.
 */
const plainExports: Plugin = {
  name: 'plain-exports',
  renderChunk(code, { moduleIds }) {
    if (!moduleIds.every((id) => id.includes('/src/'))) return null
    const changing = new Set(Array.from(code.matchAll(/^let ([\w$]+)/gm), ([, name]) => name))
    return code.replaceAll(exportedByGetter, (getter, exported: string, name: string) =>
      changing.has(name) ? getter : `exports.${exported} = ${name};`,
    )
  },
}

export const bundleOptions = {
  input: 'src/cli/main.ts',
  platform: 'node',
  plugins: [plainExports],
  external: ['koffi'],
  // What is imported when it is needed here, and at once there, is in a file of its own all the same: the groups below say so.
  checks: { ineffectiveDynamicImport: false },
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
        { name: 'start', test: modulesOf('start') },
        { name: 'measuring', test: modulesOf('measuring') },
        { name: 'further', test: (id: string) => neededByMost.has(id) },
        {
          name: 'ledger',
          test: /src.(store(?!.(node|postgres|outbox|outgoing))|record.open-ledger|cli.ledger.ledger)/,
        },
        { name: 'team', test: speaksToTeams },
        { name: 'records', test: writesRecords },
        { name: 'gpu', test: readsGpus },
      ],
    },
  },
} as const satisfies BuildOptions
