import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'
import { helpText } from '../command/help.ts'
import { Console } from './console.ts'
import { runDefinition } from '../run/run-definition.ts'
import { readSpecFile } from '../run/spec-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'words-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('what is said of files that are not there', () => {
  const system = realSystem({ ownsProcess: false })

  it('names a workflow file that is nearly called so, and none where there is none', () => {
    const typed = join(folder, 'pipline.yaml')
    expect(() => readSpecFile(system, typed)).toThrow(new RegExp(`^${typed} does not exist$`))
    writeFileSync(join(folder, 'pipeline.yaml'), '')
    writeFileSync(join(folder, 'pipline.txt'), '')
    expect(() => readSpecFile(system, typed)).toThrow(
      `${typed} does not exist. Did you mean ${join(folder, 'pipeline.yaml')}?`,
    )
  })

  it('says which part of a path is no folder', () => {
    writeFileSync(join(folder, 'file'), '')
    const path = join(folder, 'file', 'a', 'x')
    const why = `${path}: ${join(folder, 'file')} is not a directory`
    expect(system.files.save(path, [new Uint8Array(1)], 'page')).toEqual({
      kind: 'unavailable',
      why,
    })
    expect(system.files.readUtf8(path, 10)).toEqual({ kind: 'unavailable', why })
  })
})

describe('the words of a command', () => {
  const noted: string[] = []
  class Listening extends Console {
    override note(text: string): void {
      noted.push(text)
    }
  }

  it('go by the name that was typed', async () => {
    const definition = defineCommand({
      name: 'job-details',
      aliases: ['show'],
      summary: '',
      usage: 'job-details JOB [options]',
      arguments: [{ name: 'job', required: true, says: '' }],
      options: {},
      examples: ['jobmeter job-details last'],
    })
    const execute = commandAction(definition, () => 0)
    await execute([], new Listening(), undefined, 'show')
    await execute(['a', 'b'], new Listening(), undefined, 'show')
    await execute([], new Listening())
    expect(noted).toEqual([
      'jobmeter: show needs JOB. For example: jobmeter show last\nSee jobmeter show --help\n',
      'jobmeter: show does not take "b". Usage: jobmeter show JOB [options]\nSee jobmeter show --help\n',
      'jobmeter: job-details needs JOB. For example: jobmeter job-details last\nSee jobmeter job-details --help\n',
    ])
  })

  it('say once what may be repeated', () => {
    expect(helpText(runDefinition).match(/may\s+be\s+repeated/g)).toHaveLength(3)
  })
})
