import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sandbox, type Sandbox } from '../program.ts'

const spec = `name: w
resource_monitor: { granularity: time_series, generate_plots: true }
jobs:
  - name: a
    command: sleep 0.2
    resource_requirements: { memory: 900g, runtime: PT9H }
`

const modeOf = (path: string) => statSync(path).mode & 0o777
const underUmask = (box: Sandbox, args: string) =>
  box.terminal(`umask 000; $JOBMETER ${args}`).ended

describe('the files of a workflow', () => {
  it('are for their owner to write to, and mostly to read, whatever the umask', async () => {
    using box = sandbox()
    writeFileSync(box.path('w.yaml'), spec.replace('900g', '9m'))
    mkdirSync(box.path('mine'))
    chmodSync(box.path('mine'), 0o777)
    expect(await underUmask(box, 'run w.yaml --output-dir mine/out')).toMatchObject({ code: 0 })
    expect(await underUmask(box, 'report 1 -o mine/page.html')).toMatchObject({ code: 0 })
    const names = readdirSync(box.path('mine'), { recursive: true, encoding: 'utf8' })
    const modes = names.map((name) => {
      const path = join(box.path('mine'), name)
      return [name, statSync(path).isDirectory() ? 'folder' : 'file', modeOf(path)] as const
    })
    expect(names.length).toBeGreaterThan(8)
    const odd = modes.filter(([name, kind, mode]) => {
      if (kind === 'folder') return mode !== 0o755
      return mode !== (name === 'page.html' ? 0o644 : 0o600)
    })
    expect(odd).toEqual([])
    expect(modeOf(box.path('mine'))).toBe(0o777)
    const ledger = readdirSync(box.directory).filter((name) => name.startsWith('ledger.db'))
    expect(ledger.filter((name) => (modeOf(box.path(name)) & 0o077) !== 0)).toEqual([])
  })

  it('go through no link that stands where a log is to go', async () => {
    using box = sandbox()
    writeFileSync(box.path('w.yaml'), spec.replace('900g', '9m'))
    mkdirSync(box.path('out/job_stdio'), { recursive: true })
    writeFileSync(box.path('victim'), 'precious')
    symlinkSync(box.path('victim'), box.path('out/job_stdio/job_1_1_1_1.o'))
    const ended = await box.jobmeter(['run', 'w.yaml', '--output-dir', 'out'])
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('there is a link where its log should go')
    expect(readFileSync(box.path('victim'), 'utf8')).toBe('precious')
  })

  it('keep mode and links when recommend writes into them, and are left alone when read-only', async () => {
    using box = sandbox()
    writeFileSync(box.path('real.yaml'), spec.replace('900g', '9m'), { mode: 0o640 })
    symlinkSync('real.yaml', box.path('w.yaml'))
    expect((await box.jobmeter(['run', 'w.yaml', '--output-dir', 'out'])).code).toBe(0)
    chmodSync(box.path('real.yaml'), 0o440)
    const before = readFileSync(box.path('real.yaml'), 'utf8')
    const write = () => box.jobmeter(['reports', 'recommend', '1', '--write', 'w.yaml'])
    const refused = await write()
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('real.yaml is read-only; chmod u+w lets it be written')
    expect(readFileSync(box.path('real.yaml'), 'utf8')).toBe(before)
    chmodSync(box.path('real.yaml'), 0o640)
    expect((await write()).code).toBe(0)
    expect(readFileSync(box.path('real.yaml'), 'utf8')).not.toBe(before)
    expect(lstatSync(box.path('w.yaml')).isSymbolicLink()).toBe(true)
    expect(modeOf(box.path('real.yaml'))).toBe(0o640)
    expect(existsSync(box.path('.jobmeter'))).toBe(false)
  })
})
