import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take longer than about 18 s: one that came last would be waited for by all workers. Those that wait for
 * processes are between those that keep the machine busy.
 */
const longest = [
  'test/workflow/slurm.test.ts',
  'test/queue/worker.test.ts',
  'test/browser/layout.test.ts',
  'test/web/administrator.test.ts',
  'test/queue/faults.test.ts',
  'test/web/workflow.test.ts',
  'test/team/team-commands.test.ts',
  'test/node/agent-kill9.test.ts',
  'test/web/live.test.ts',
  'test/team/questions.test.ts',
  'test/web/pages.test.ts',
  'test/standalone/package.test.ts',
  'test/alerts/jobs.test.ts',
  'test/python/python.test.ts',
  'test/browser/report.test.ts',
  'test/queue/commands.test.ts',
  'test/server/api/long-answers.test.ts',
  'src/store/ledger/batch-kill.test.ts',
  'test/browser/plots.test.ts',
  'test/standalone/bundle.test.ts',
  'test/queue/logs.test.ts',
  'test/fuzz/spec-bombs.test.ts',
  'test/bytes.test.ts',
  'test/fuzz/hostile-text.test.ts',
  'test/exact/cpu.test.ts',
  'test/exact/container-ends.test.ts',
  'test/exact/containers.test.ts',
]
/** They are so short that they fill the time in which the last of the others end. */
const shortest = 'inner'

/** On a machine that has run no tests before, Vitest knows the sizes of files only. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const known = longest.indexOf(relative(this.ctx.config.root, moduleId))
      if (known >= 0) return known
      return project.name === shortest ? longest.length + 1 : longest.length
    }
    const group = ({ project }: TestSpecification): number => project.config.sequence.groupOrder
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => group(one) - group(other) || rank(one) - rank(other))
  }
}
