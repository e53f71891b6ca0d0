import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { MarkReportJson } from '../../src/render/marks/marks-json.ts'
import type { SeriesJson } from '../../src/render/series/series-json.ts'
import { programCommand, sandbox, type Sandbox } from '../program.ts'

const jobmeter = programCommand.join(' ')

async function marksOf(box: Sandbox, job = 'last'): Promise<NonNullable<SeriesJson['marks']>> {
  const { stdout } = await box.jobmeter(['series', job, '--format', 'json'])
  return (JSON.parse(stdout) as SeriesJson).marks ?? []
}

const leftMarks = (box: Sandbox): string[] =>
  existsSync(`${box.db}.spool`)
    ? readdirSync(`${box.db}.spool`).filter((name) => name.endsWith('.marks'))
    : []

describe('marks', () => {
  it('come from jobmeter mark and from lines, and show in series, show and reports', async () => {
    using box = sandbox()
    const script = [
      'test ! -e "$JOBMETER_MARKS" || exit 9',
      'echo "epoch=1 phase=train step=1" >> "$JOBMETER_MARKS"',
      'sleep 0.3',
      `${jobmeter} mark --step 50 --epoch 1 --phase validate --message 'half "way"' || exit 8`,
      `echo '{"epoch":2,"phase":"train"}' >> "$JOBMETER_MARKS"`,
      'sleep 0.2',
    ].join('\n')
    const { ended } = await box.run(['--interval', '0.05', '--', 'sh', '-c', script])
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    const marks = await marksOf(box)
    expect(marks).toMatchObject([
      { epoch: 1, phase: 'train', step: 1, message: null },
      { epoch: 1, phase: 'validate', step: 50, message: 'half "way"' },
      { epoch: 2, phase: 'train', step: null },
    ])
    const [first, second, third] = marks.map(({ elapsed_seconds: at }) => at)
    expect(second).toBeGreaterThan(0.3)
    expect(first).toBeLessThan(second ?? 0)
    expect(third).toBeGreaterThanOrEqual(second ?? 0)
    expect(leftMarks(box)).toEqual([])

    const csv = (await box.jobmeter(['series', 'last'])).stdout.trim().split('\n')
    expect(csv[0]).toMatch(/,mark_step,mark_epoch,mark_phase,mark_message$/)
    expect(csv.filter((line) => line.endsWith(',50,1,validate,"half ""way"""'))).toHaveLength(1)
    const shown = (await box.jobmeter(['show', 'last'])).stdout
    expect(shown).toMatch(/Marks:\n {2}3 marks\n/)
    expect(shown).toMatch(/train \(2 times\)/)
    const report = JSON.parse(
      (await box.jobmeter(['reports', 'job', 'last', '--format', 'json'])).stdout,
    ) as { marks: MarkReportJson }
    expect(report.marks.epochs.map(({ label }) => label)).toEqual(['1', '2'])
    // A mark without a time has that of being read, which a busy machine delays.
    expect(report.marks.epochs[0]?.duration_seconds).toBeCloseTo((third ?? 0) - (first ?? 0), 2)
    expect(report.marks.epochs[0]?.memory_peak_bytes).toBeGreaterThan(0)
    expect(report.marks.epochs[0]?.cpu_cores).toBeGreaterThanOrEqual(0)
  })

  it('are drawn in plots', async () => {
    using box = sandbox()
    const script =
      'echo "phase=load epoch=7" >> $JOBMETER_MARKS; sleep 0.3; echo "phase=<b>solve" >> $JOBMETER_MARKS; sleep 0.3'
    await box.run(['--interval', '0.05', '--output-dir', 'out', '--', 'sh', '-c', script])
    const [file = ''] = readdirSync(box.path('out/resource_utilization'))
    const plots = await box.jobmeter([
      'plot-resources',
      `out/resource_utilization/${file}`,
      '-o',
      'plots',
    ])
    expect(plots.code).toBe(0)
    const pages = readdirSync(box.path('plots')).filter((name) => name.includes('job_'))
    const page = readFileSync(box.path(`plots/${pages[0]}`), 'utf8')
    expect(page).toContain('"load"')
    expect(page).toContain('"epoch 7"')
    expect(page).not.toContain('<b>solve')
  })

  it('belong to each job of a workflow, with and without samples', async () => {
    using box = sandbox()
    const job = (name: string) => ({
      name,
      command: `echo "phase=${name} step=3" >> $JOBMETER_MARKS; echo $JOBMETER_MARKS >> files`,
    })
    for (const granularity of ['summary', 'time_series']) {
      const spec = {
        name: granularity,
        resource_monitor: { granularity },
        jobs: [job('a'), job('b'), { name: 'c', command: 'true' }],
      }
      writeFileSync(box.path('flow.json'), JSON.stringify(spec))
      const ended = await box.jobmeter(['run', 'flow.json', '--output-dir', granularity])
      expect(ended).toMatchObject({ code: 0 })
      expect(await marksOf(box, 'a')).toMatchObject([{ phase: 'a', step: 3 }])
      expect(await marksOf(box, 'b')).toMatchObject([{ phase: 'b', step: 3 }])
      expect(await marksOf(box, 'c')).toEqual([])
    }
    const files = readFileSync(box.path('files'), 'utf8').trim().split('\n')
    expect(new Set(files).size).toBe(4)
    expect(leftMarks(box)).toEqual([])
  })

  it('of an inner job are not written to the outer one', async () => {
    using box = sandbox()
    const inner = `${jobmeter} run --quiet --name inner -- sh -c 'echo phase=inner >> $JOBMETER_MARKS'`
    await box.run([
      '--name',
      'outer',
      '--',
      'sh',
      '-c',
      `${inner}; echo phase=outer >> $JOBMETER_MARKS`,
    ])
    expect(await marksOf(box, 'inner')).toMatchObject([{ phase: 'inner' }])
    expect(await marksOf(box, 'outer')).toMatchObject([{ phase: 'outer' }])
  })

  it.each([
    ['a link to a file', 'ln -s /etc/hostname "$JOBMETER_MARKS"', 'is not a plain file'],
    ['a pipe', 'mkfifo "$JOBMETER_MARKS"', 'is not a plain file'],
    ['a folder', 'mkdir "$JOBMETER_MARKS"', 'is not a plain file'],
    ['binary', 'head -c 100000 /dev/urandom > "$JOBMETER_MARKS"', 'not understood'],
    ['endless zeros', 'head -c 30000000 /dev/zero > "$JOBMETER_MARKS"', 'only the first'],
    ['too many', 'yes step=1 | head -n 300000 > "$JOBMETER_MARKS"', 'more than the 20,000'],
    [
      'escapes',
      String.raw`printf 'step=1\nphase=\033[31m\033]0;x\007 epoch=1\n' > "$JOBMETER_MARKS"`,
      null,
    ],
  ])('do no harm: %s', async (_what, script, trouble) => {
    using box = sandbox()
    // Long enough for the file to be looked at while it runs.
    const { ended, record } = await box.run(['--', 'sh', '-c', `${script}; sleep 0.15`])
    expect(ended.code).toBe(0)
    expect(record.status).toBe('success')
    const expected = trouble === null ? '' : 'some marks of the job are not kept'
    expect(ended.stderr).toContain(expected)
    expect(ended.stderr).toContain(trouble ?? '')
    const shown = await box.jobmeter(['show', 'last'])
    expect(shown.stdout).not.toContain('\u001b')
    expect((await box.jobmeter(['series', 'last', '--format', 'json'])).code).toBe(0)
  })

  it('outlive a killed jobmeter', async () => {
    using box = sandbox()
    const script = 'echo "phase=load step=4" >> $JOBMETER_MARKS; echo "pid $$."; exec sleep 60'
    const running = box.start(['run', '--quiet', '--name', 'cut', '--', 'sh', '-c', script])
    const pid = Number(/pid (\d+)\./.exec(await running.saw('.\n'))?.[1])
    running.signal('SIGKILL')
    await running.ended
    process.kill(pid, 'SIGKILL')
    expect((await box.history())[0]).toMatchObject({ name: 'cut', status: 'interrupted' })
    expect(await marksOf(box, 'cut')).toMatchObject([{ phase: 'load', step: 4 }])
    expect(leftMarks(box)).toEqual([])
  })

  it('need a job, and something to say', async () => {
    using box = sandbox()
    const outside = await box.jobmeter(['mark', '--step', '1'])
    expect(outside.code).toBe(1)
    expect(outside.stderr).toContain('JOBMETER_MARKS is not set')
    expect(outside.stderr).toContain('jobmeter watch cannot take marks')
    expect((await box.jobmeter(['mark'])).code).toBe(2)
    const env = { JOBMETER_MARKS: box.path('none/there') }
    const lost = await box.jobmeter(['mark', '--step', '1'], { env })
    expect(lost).toMatchObject({ code: 1 })
    expect(lost.stderr).toContain('the mark was not written')
  })
})
