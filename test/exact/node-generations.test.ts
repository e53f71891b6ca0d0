import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { NodeGpus } from '../../src/agent/gpus/node-gpus.ts'
import { NodeSampler } from '../../src/agent/node-sampler.ts'
import { openTaskstats } from '../../src/agent/processes/taskstats-records.ts'
import type { NodeJob } from '../../src/model/node-round.ts'
import { realSystem } from '../../src/system/real.ts'
import { userCgroup } from '../node/user-cgroup.ts'
import { workload, workloadsMissing } from '../program.ts'
import { asRootOnly } from '../root-only.ts'

const burns = `${workload('children')} 2 20 1 -`
/** As make does: a shell for each program, which ends with it. */
const generations = `sh -c "${burns} > /dev/null; :"`
/** Nobody of the job waits for these: the first process of the node does. Their output is read until they end. */
const orphans = `: $(sh -c "${burns} &")`
/** Works for a while, says so, and goes on when it is told to. */
const twice = (work: string): string => {
  const loop = `i=0; while [ $i -lt 30 ]; do ${work}; i=$((i+1)); done`
  return `${loop}; echo half; read go; ${loop}; echo done; read end`
}

const idOf = (digit: string): string => `${process.pid}`.padStart(64, digit)

const loads = [
  { kind: 'slurm', uid: 64_341, id: '64341', work: generations, percent: 2 },
  { kind: 'session', uid: 64_342, id: undefined, work: generations, percent: 2 },
  { kind: 'container', uid: 64_343, id: idOf('b'), work: generations, percent: 2 },
  // What an adopted process does after its record is written is known only of all of them together.
  { kind: 'container', uid: 64_344, id: idOf('c'), work: orphans, percent: 5 },
] as const

function start({ kind, uid, id, work, percent }: (typeof loads)[number]) {
  const group = userCgroup(uid, kind === 'container' ? { containerId: id } : {})
  const [program = '', ...args] = group.within(['sh', '-c', twice(work)])
  const env = kind === 'slurm' ? { ...process.env, SLURM_JOB_ID: id } : process.env
  const shell = spawn(program, args, { detached: true, env })
  return { kind, uid, id, group, shell, percent }
}

describe.skipIf(asRootOnly.isSkipped || workloadsMissing)(
  `programs that a job's short shells start${asRootOnly.why}`,
  () => {
    it('count for the job and its user, to 2 % of what the kernel has, or 5 % where nobody waits for them', async () => {
      const system = realSystem({ ownsProcess: false })
      const exits = openTaskstats(system)
      if (exits.kind !== 'ok') throw new Error('root is told of the ends of processes')
      const sampler = new NodeSampler(system, exits.value, new NodeGpus(system))
      sampler.round(null)
      const running = loads.map(start)
      const jobs: NodeJob[] = []
      for (const word of ['half', 'done']) {
        await Promise.all(
          running.map(async ({ shell }) => {
            expect(String(await once(shell.stdout, 'data'))).toContain(word)
          }),
        )
        jobs.push(...sampler.round(null).jobs)
        for (const { shell } of running) shell.stdin.write('go\n')
      }
      await Promise.all(running.map(({ shell }) => once(shell, 'exit')))
      jobs.push(...sampler.round(null).jobs)
      sampler.close()
      const found = running.map(({ kind, uid, id, group, percent }) => {
        const truth = group.cpuSeconds()
        group[Symbol.dispose]()
        const its = jobs.filter((job) => job.uid === uid)
        const sum = (some: typeof its) => some.reduce((all, { cpuSeconds }) => all + cpuSeconds, 0)
        const ofJob = its.filter((job) => job.kind === kind && (id === undefined || job.id === id))
        const byJob = sum(ofJob) / truth - 1
        return { kind, truth, byJob, byUser: sum(its) / truth - 1, percent }
      })
      for (const { kind, truth, byJob, byUser } of found)
        process.stderr.write(
          `${kind}: ${truth.toFixed(2)} s, by job ${(100 * byJob).toFixed(2)} %, by user ${(100 * byUser).toFixed(2)} %\n`,
        )
      for (const { byJob, byUser, percent } of found) {
        expect(100 * Math.abs(byJob)).toBeLessThan(percent)
        expect(100 * Math.abs(byUser)).toBeLessThan(percent)
      }
    })
  },
)
