import { realSystem } from '../../src/system/real.ts'
import { AttemptFolder } from '../../src/workflow/executors/remote/attempt-folder.ts'
import { WaitingList } from '../../src/workflow/executors/slurm/waiting-list.ts'
import { describe, expect, it } from 'vitest'
import { shellOrder } from '../contracts/orders.ts'
import { programCommand, sandbox } from '../program.ts'
import { fileOf } from './slurm-stage.ts'

const canMount = process.getuid?.() === 0

describe.skipIf(!canMount)('a worker in an allocation whose shared disk is full', () => {
  it.each([
    ['the claim has no room', 0],
    ['the claim has room, and the record has none', 1],
  ])('leaves a job listed that it could not take: %s', async (_, freePages) => {
    using box = sandbox()
    const { files } = realSystem({ ownsProcess: false })
    const taskId = 'a'.repeat(32)
    const order = shellOrder(taskId, `echo ran >> ${box.path('ran')}`)
    const directory = box.path('prepared')
    new AttemptFolder(files, `${directory}/${taskId}`).writeOrder({
      version: 1,
      order,
      metrics: [],
    })
    const job = { taskId, scheduler: null, runtimeSeconds: null }
    const asked = { cpus: 1, memoryBytes: 0, gpus: 0 }
    new WaitingList(files, directory).add({ ...job, ...asked }, 1)
    const worker = `${programCommand.join(' ')} slurm worker disk --idle 1s`
    const told = await box.shell(
      `mkdir disk; mount -t tmpfs -o size=256k none disk; cp -r prepared/. disk
dd if=/dev/zero of=disk/fill bs=4k 2>/dev/null
truncate -s -$((4096 * ${freePages})) disk/fill
${worker}; echo "code $?"
ls disk/waiting | wc -l; ls disk/${taskId}
rm disk/fill
${worker}; echo "code $?"
ls disk/waiting | wc -l; ls disk/${taskId}`,
      { within: ['unshare', '-m'], env: { SLURM_JOB_ID: '1' }, timeoutMs: 60_000 },
    )
    expect(told.stderr).toContain(`task ${taskId} could not be taken, and is tried again`)
    expect(told.stdout.split(/\s+/).join(' ')).toBe(
      `code 3 1 order.json code 0 0 ${taskId}.jsonl claim order.json `,
    )
    expect(fileOf(box, 'ran')).toBe('ran\n')
  })
})
