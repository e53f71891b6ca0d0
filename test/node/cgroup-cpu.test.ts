import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NodeGpus } from '../../src/agent/gpus/node-gpus.ts'
import { NodeSampler } from '../../src/agent/node-sampler.ts'
import { realSystem } from '../../src/system/real.ts'
import { workload, workloadsMissing } from '../program.ts'
import { asRootOnly } from '../root-only.ts'

const id = `${process.pid}`.padStart(64, 'a')
const directory = `/sys/fs/cgroup/cpuacct/docker/${id}`
const isMissing = !existsSync('/sys/fs/cgroup/cpuacct/cpuacct.usage')

const cpuSeconds = (): number => Number(readFileSync(`${directory}/cpuacct.usage`, 'utf8')) / 1e9

describe.skipIf(asRootOnly.isSkipped || workloadsMissing || isMissing)(
  `a container whose children nobody waits for${asRootOnly.why}`,
  () => {
    it('has their CPU by its cgroup, where the kernel does not tell of their ends', async () => {
      mkdirSync(directory, { recursive: true })
      const script = `echo $$ > ${directory}/cgroup.procs; echo in; read go; ${workload('ignore-sigchld')} 200 10 - > /dev/null; echo done; read end`
      const shell = spawn('sh', ['-c', script], { detached: true })
      try {
        await once(shell.stdout, 'data')
        const system = realSystem({ ownsProcess: false })
        const sampler = new NodeSampler(system, undefined, new NodeGpus(system))
        sampler.round(null)
        const before = cpuSeconds()
        shell.stdin.write('go\n')
        await once(shell.stdout, 'data')
        const { jobs } = sampler.round(null)
        const truth = cpuSeconds() - before
        sampler.close()
        const job = jobs.find(({ kind, id: found }) => kind === 'container' && found === id)
        const told = job?.cpuSeconds ?? 0
        const nobodys = jobs.find(({ kind }) => kind === 'unattributed')?.cpuSeconds ?? 0
        expect(truth).toBeGreaterThan(2)
        expect(told).toBeLessThan(1.05 * truth)
        // Processes are read after the node's own counters. Where others keep it busy meanwhile, these do not have all that
        // the processes used, and the job gets what they leave for it: nothing stays nobody's that is its own.
        expect(Math.min(truth - told, nobodys)).toBeLessThan(0.05 * truth)
      } finally {
        shell.stdin.end('end\n')
        await once(shell, 'exit')
        rmdirSync(directory)
        try {
          rmdirSync(dirname(directory))
        } catch {
          // Others may be in it.
        }
      }
    })
  },
)
