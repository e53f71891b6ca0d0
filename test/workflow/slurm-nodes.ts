import { expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { lives } from '../contracts/launch.ts'
import { flow, lines, results, states, until } from './flow.ts'
import { fileOf, type SlurmStage } from './slurm-stage.ts'

/** Jobs on several nodes, one of which is lost. */
export function nodeTests(stage: SlurmStage): void {
  it.concurrent('runs on several nodes, and again where one of them was lost', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      `slurm_schedulers: [{ name: frail, partition: frail, walltime: "00:10:00", mem: 100m }]
failure_handlers: [{ name: again, rules: [{ match_all_exit_codes: true, max_retries: 1 }] }]
jobs:
  - name: both
    command: 'srun sh -c "echo \\$SLURMD_NODENAME >> both"'
    resource_requirements: { num_cpus: 1, num_nodes: 2 }
  - name: lost
    command: 'echo "$SLURMD_NODENAME $$" >> lost; [ $JOBMETER_ATTEMPT = 2 ] || sleep 300'
    depends_on: [both]
    failure_handler: again
    resource_requirements: { num_cpus: 1 }
`,
    )
    const ran = box.start(stage.words(spec, '--slurm-by', 'jobs'), stage.onIt())
    await until(() => fileOf(box, 'lost') !== null)
    expect(lines(box.path('both')).toSorted()).toEqual(['frail1', 'frail2'])
    const [node = '', pid] = lines(box.path('lost'))[0]?.split(' ') ?? []
    await stage.slurm.loseNode(node)
    const end = await ran.ended
    expect(end.code, end.stderr).toBe(0)
    expect(end.stderr).toMatch(
      new RegExp(
        `lost interrupted in .*: the node of Slurm job \\d+ failed on ${node} \\(NODE_FAIL\\)`,
      ),
    )
    expect(await states(box)).toEqual({ both: 'success', lost: 'success' })
    expect(lines(box.path('lost')).map((line) => line.split(' ')[0])).toEqual([
      node,
      node === 'frail1' ? 'frail2' : 'frail1',
    ])
    expect((await results(box, '--all-runs')).map(({ status }) => status)).toEqual([
      'success',
      'interrupted',
      'success',
    ])
    // Its node cannot be told to end it any more, but it sees in its folder that nobody waits for it.
    await until(() => !lives(Number(pid)))
  })
}
