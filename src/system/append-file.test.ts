import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { smallDisk, withSmallDisk } from '../../test/small-disk.ts'
import { appendText } from './append-file.ts'

describe.skipIf(withSmallDisk.isSkipped)(
  `adding to a file on a full disk${withSmallDisk.why}`,
  () => {
    it('leaves no half of a line, and goes on when there is room again', () => {
      const directory = mkdtempSync(join(tmpdir(), 'jobmeter-append-'))
      const path = (name: string): string => join(directory, name)
      try {
        using disk = smallDisk({ directory, path }, 64)
        const file = join(disk.path, 'alerts.jsonl')
        // Room for the beginning of the line in the page that the file has already.
        writeFileSync(file, `${'x'.repeat(3945)}\n`)
        disk.fill()
        expect(appendText(file, `${'y'.repeat(1000)}\n`)).toMatchObject({ kind: 'failed' })
        disk.free()
        expect(appendText(file, 'z\n')).toEqual({ kind: 'ok', value: true })
        expect(readFileSync(file, 'utf8')).toBe(`${'x'.repeat(3945)}\nz\n`)
      } finally {
        rmSync(directory, { recursive: true, force: true })
      }
    })
  },
)
