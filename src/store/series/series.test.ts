import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { someStart } from '../../../test/contracts/attempts.ts'
import { seriesContract, type SeriesUnderTest } from '../../../test/contracts/series.ts'
import { openSqliteLedger } from '../ledger/open.ts'
import type { SpooledAttempt } from '../ledger/store.ts'
import { JobsInPlace } from '../spool/jobs-in-place.ts'
import { readSpool } from '../spool/read-spool.ts'
import { SpoolFile } from '../spool/spool-file.ts'
import { withWaiting } from '../spool/spooled-series.ts'
import { HeldSeries } from './held-series.ts'
import type { SeriesReader, SeriesWriter } from './series.ts'
import { makeSeriesFile } from './series-file.ts'
import { withSeries } from './series-search.ts'

/** A folder for a test, and what is to be closed before it goes. */
function room(): { directory: string; dispose: (close?: () => void) => void } {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-samples-'))
  return {
    directory,
    dispose: (close) => {
      close?.()
      rmSync(directory, { recursive: true })
    },
  }
}

seriesContract('the ledger', () => {
  const { directory, dispose } = room()
  const path = join(directory, 'ledger.db')
  const [store, other] = [openSqliteLedger(path).jobs, openSqliteLedger(path).jobs]
  let made = 0
  return {
    begin: (columns) => {
      const taskId = `task-${made++}`
      const writer = store.writer(store.begin(someStart(taskId)), columns)
      return { writer, read: (use) => use(other.series(taskId)) }
    },
    dispose: () =>
      dispose(() => {
        store.close()
        other.close()
      }),
  }
})

seriesContract("a run's series file", () => {
  const { directory, dispose } = room()
  const run = { ledger: join(directory, 'l.db'), host: 'node01', workflowId: 1, runId: 1 }
  const file = makeSeriesFile(directory, run)
  let made = 0
  return {
    begin: (columns) => {
      const attempt = ++made
      return {
        writer: file.writer(7, attempt, columns),
        read: (use) => withSeries(file.path, (reader) => use(reader.series(7, attempt))),
      }
    },
    dispose: () => dispose(() => file.close()),
  }
})

const spooledSeries = (attempt: SpooledAttempt): SeriesReader =>
  withWaiting(new HeldSeries([], []), attempt)

/** Files of the spool, which are read in one way or another. */
function spool(read: (directory: string, attempt: SpooledAttempt) => SeriesReader) {
  return (): SeriesUnderTest => {
    const { directory, dispose } = room()
    let made = 0
    return {
      begin: (columns) => {
        const start = someStart(`task-${made++}`)
        const file = new SpoolFile(join(directory, 'ledger.db'), start, { columns })
        return { writer: file, read: (use) => use(read(directory, attemptIn(file.path ?? ''))) }
      },
      dispose,
    }
  }
}

function attemptIn(path: string): SpooledAttempt {
  const found = readSpool(path)
  if (found.kind !== 'attempt' || found.damage !== null) throw new Error(JSON.stringify(found))
  return found.attempt
}

seriesContract(
  'a file of the spool',
  spool((_, attempt) => spooledSeries(attempt)),
)

seriesContract(
  'a file of the spool that was taken into the ledger',
  spool((directory, attempt) => {
    const store = openSqliteLedger(join(directory, 'ledger.db')).jobs
    // Twice, as after a kill.
    store.adopt(attempt)
    store.adopt(attempt)
    const series = spooledSeries({ ...attempt, ...asHeld(store.series(attempt.start.taskId)) })
    store.close()
    return series
  }),
)

/** All that a reader has, to be read when its file is closed. */
function asHeld(reader: SeriesReader): Partial<SpooledAttempt> {
  const { columns, rows } = reader.read()
  return {
    columns,
    rows: Float64Array.from(rows.flatMap((row) => [...row])),
    count: rows.length,
    devices: reader.devices().map(({ rows: own, ...device }) => ({
      ...device,
      rows: Float64Array.from(own.flatMap((row) => [...row])),
      count: own.length,
    })),
  }
}

const unseen = { of: () => undefined }
const nobody = { isDead: () => false, isHeld: () => false }

seriesContract('a ledger that has only a part of what is in its spool', () => {
  const { directory, dispose } = room()
  const ledger = join(directory, 'ledger.db')
  const store = openSqliteLedger(ledger).jobs
  let made = 0
  return {
    begin: (columns) => {
      const start = someStart(`task-${made++}`)
      const file = new SpoolFile(ledger, start, { columns })
      const path = file.path ?? ''
      let written = 0
      const thenTakeIn = (): void => {
        if (written++ === 2) store.adopt(attemptIn(path))
      }
      const writer: SeriesWriter = {
        add: (rows, count) => {
          file.add(rows, count)
          thenTakeIn()
        },
        addDevice: (rows) => {
          file.addDevice(rows)
          thenTakeIn()
        },
      }
      return {
        writer,
        read: (use) =>
          use(new JobsInPlace(store, [attemptIn(path)], nobody, unseen).series(start.taskId)),
      }
    },
    dispose: () => dispose(() => store.close()),
  }
})
