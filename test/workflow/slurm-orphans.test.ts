import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lives } from '../contracts/launch.ts'
import { sandbox } from '../program.ts'
import { startSlurm, whyNoSlurm } from '../slurm/slurm.ts'
import { flow, lines, until } from './flow.ts'
import { fileOf, SlurmStage } from './slurm-stage.ts'

describe.skipIf(whyNoSlurm() !== undefined)(
  'on a Slurm that finds processes by their parents',
  { timeout: 120_000 },
  () => {
    const stage = new SlurmStage()
    beforeAll(async () => stage.use(await startSlurm('linuxproc')))
    afterAll(() => stage.slurm.stop())

    it.concurrent.each([
      ['arrays', 'attempt'],
      ['workers', 'slurm worker'],
    ])(
      'ends a job by %s with the process that looks after it, before it is run again',
      async (by, keeper) => {
        using box = sandbox()
        const name = `orphan-${by}`
        const spec = flow(
          box,
          `slurm_schedulers: [{ name: one, walltime: "00:05:00", mem: 100m }]
failure_handlers: [{ name: again, rules: [{ match_all_exit_codes: true, max_retries: 1 }] }]
jobs:
  - name: ${name}
    command: 'echo $$ $PPID >> ran; [ $JOBMETER_ATTEMPT = 2 ] && [ ! -d /proc/$(head -n 1 ran | cut -d " " -f 1) ] || sleep 120'
    failure_handler: again
    resource_requirements: { num_cpus: 1, memory: 60m, runtime: PT5M }
`,
        )
        const ran = box.start(stage.words(spec, '--slurm-by', by), stage.onIt())
        await until(() => (fileOf(box, 'ran') ?? '').endsWith('\n'))
        const [job = 0, parent = 0] = (lines(box.path('ran'))[0] ?? '').split(' ').map(Number)
        expect(readFileSync(`/proc/${parent}/cmdline`, 'utf8').replaceAll('\0', ' ')).toContain(
          keeper,
        )
        process.kill(parent, 'SIGKILL')
        await expect.poll(() => lives(job), { timeout: 30_000 }).toBe(false)
        const end = await ran.ended
        expect(end.code, end.stderr).toBe(0)
        expect(lines(box.path('ran'))).toHaveLength(2)
      },
    )
  },
)
