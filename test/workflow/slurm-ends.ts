import { spawn } from 'node:child_process'
import { chownSync, readFileSync, writeFileSync } from 'node:fs'
import { it } from 'vitest'
import { sandbox, workload } from '../program.ts'
import { lives } from '../contracts/launch.ts'
import { flow, results, script } from './flow.ts'
import type { SlurmStage } from './slurm-stage.ts'

const nobody = 65534

/** How jobs end that Slurm does not end as a whole. */
export function endTests(stage: SlurmStage): void {
  it.concurrent('tells that a process of a job was killed for memory where the job went on without it', async ({
    expect,
  }) => {
    using box = sandbox()
    // Somebody who may make no cgroups: the kill is counted by that of Slurm alone.
    chownSync(box.directory, nobody, nobody)
    const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
    const hungry = `${workload('hog')} 400 20000`
    const request = 'resource_requirements: { num_cpus: 1, memory: 102m, runtime: PT5M }'
    const spec = flow(
      box,
      `jobs:
  - { name: bears it, command: "${hungry} || true", ${request} }
  - { name: gives up, command: "${hungry} || exit 3", ${request} }
`,
    )
    const ran = await stage.run(box, [spec, '--slurm-by', 'jobs'], { within: asNobody })
    expect(ran.code, ran.stderr).toBe(1)
    expect(await results(box)).toMatchObject([
      { status: 'success', return_code: 0, warning: '1 process of the job was killed for memory' },
      { status: 'failed', return_code: 3 },
    ])
    const shown = await box.jobmeter(['show', 'gives up'])
    expect(shown.stdout).toContain('out of memory: the kernel killed a process of the job')
  })

  it.concurrent('ends what measures a job by its epilog, and no other process that has its number', async ({
    expect,
  }) => {
    using box = sandbox()
    script(box, 'epilog', (await box.jobmeter(['slurm', 'epilog'])).stdout)
    // No Slurm gives such a number.
    const job = `0-of-test-${process.pid}`
    const measuring = spawn('sleep', ['300'])
    const { pid = 0 } = measuring
    const startTicks = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[21])
    const endedBy = async (started: number): Promise<void> => {
      writeFileSync(`/run/jobmeter-slurm/${job}.pid`, `${pid} ${started}\n`)
      const done = await box.shell('./epilog', { env: { SLURM_JOB_ID: job } })
      expect(done.code, done.stderr).toBe(0)
    }
    await box.shell('mkdir -p -m 700 /run/jobmeter-slurm')
    try {
      await endedBy(startTicks + 1)
      expect(lives(pid)).toBe(true)
      await endedBy(startTicks)
      await expect.poll(() => lives(pid)).toBe(false)
    } finally {
      measuring.kill('SIGKILL')
    }
  })

  it.concurrent('keeps what its prolog writes in a folder of root alone, whatever lies there', async ({
    expect,
  }) => {
    using box = sandbox()
    script(box, 'prolog', (await box.jobmeter(['slurm', 'prolog', '--ledger', 'site.db'])).stdout)
    // In a /run of its own, in which others may have been first.
    const ranWith = async (before: string): Promise<string> => {
      const { stdout } = await box.shell(
        `mount -t tmpfs -o mode=755 none /run; mkdir -p /run/elsewhere
${before}
SLURM_JOB_ID=0-of-test ./prolog
stat -c '%A %n' /run/jobmeter* /run/elsewhere/* 2>/dev/null
read -r pid _ < /run/jobmeter-slurm/0-of-test.pid && kill $pid`,
        { within: ['unshare', '-m'] },
      )
      return stdout
    }
    const own = 'drwx------ /run/jobmeter-slurm\n'
    expect(await ranWith('')).toBe(own)
    expect(await ranWith('mkdir -m 755 /run/jobmeter /run/jobmeter-slurm')).toBe(
      `drwxr-xr-x /run/jobmeter\n${own}`,
    )
    expect(await ranWith('ln -s elsewhere /run/jobmeter-slurm')).not.toContain('elsewhere/')
    const others = await ranWith(`mkdir /run/jobmeter-slurm; chown ${nobody} /run/jobmeter-slurm`)
    expect(others).toBe('drwxr-xr-x /run/jobmeter-slurm\n')
  })
}
