import { readFileSync, writeFileSync } from 'node:fs'
import { sandbox, type Sandbox } from '../test/program.ts'
import { startSlurm, whyNoSlurm } from '../test/slurm/slurm.ts'
import { verdict } from './verdict.ts'

/** 200 jobs of `true` on a real Slurm, each way, with the runner killed in the middle and resumed. */
const jobs = Number(process.env['JOBMETER_SLURM_JOBS'] ?? 200)

const spec = (box: Sandbox): string => {
  const path = box.path('flow.yaml')
  writeFileSync(
    path,
    `name: many
slurm_schedulers: [{ name: all, walltime: "00:30:00" }]
slurm_defaults: { mem: 400M }
jobs:
  - { name: "j{i}", command: "echo {i} >> ran", parameters: { i: "1:${jobs}" }, resource_requirements: { num_cpus: 1 } }
`,
  )
  return path
}

const why = whyNoSlurm()
if (why !== undefined) console.log(`there is no Slurm: ${why}`)
else {
  const slurm = await startSlurm('cgroup')
  const env = { SLURM_CONF: slurm.conf }
  try {
    for (const way of ['arrays', 'workers', 'jobs'] as const) {
      using box = sandbox()
      const began = performance.now()
      const words = ['--executor', 'slurm', '--slurm-by', way, '--slurm-poll', '2s', '--quiet']
      const first = box.start(['run', spec(box), ...words], { env, timeoutMs: 600_000 })
      await new Promise((resolve) => setTimeout(resolve, 4000))
      first.signal('SIGKILL')
      await first.ended
      const resumed = await box.jobmeter(['run', '--resume', '1', '--slurm-by', way, '--quiet'], {
        env,
        timeoutMs: 600_000,
      })
      const seconds = (performance.now() - began) / 1000
      const ran = readFileSync(box.path('ran'), 'utf8').trimEnd().split('\n')
      console.log(`${way}: ${jobs} jobs in ${seconds.toFixed(1)} s, exit code ${resumed.code}`)
      const once = new Set(ran).size
      verdict(`${way}: jobs left out or run twice`, jobs + ran.length - 2 * once, 0, '')
    }
  } finally {
    await slurm.stop()
  }
}
