import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { repository } from '../workloads/compile.ts'
import { lines, onPath, script } from './flow.ts'
import type { SlurmStage } from './slurm-stage.ts'

const guide = readFileSync(join(repository, 'docs/slurm.md'), 'utf8')
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text,
  )

/** Everything that `docs/slurm.md` shows, line by line, with fewer jobs. The job 4711 of a user is one that runs. */
export function guideTests(stage: SlurmStage): void {
  it.concurrent('goes as its guide says', async () => {
    using box = sandbox()
    const [sweep = '', workers = '', ...others] = blocks('yaml')
    expect(others).toEqual([])
    writeFileSync(box.path('sweep.yaml'), sweep.replace('"1:200"', '"1:5"'))
    const job = 'jobs: [{ name: a, command: "true", scheduler: node }]'
    writeFileSync(box.path('workers.yaml'), `name: by workers\n${workers}${job}\n`)
    script(box, 'jobmeter', 'exec $JOBMETER "$@"')
    script(box, 'simulate', 'mkdir -p results; echo {} > results/$2.json')
    script(box, 'collect', 'ls "$@" | wc -l > collected')
    for (const folder of ['prolog.d', 'epilog.d']) mkdirSync(box.path(folder))
    const say = async (line: string): Promise<string> => {
      const ended = await box.shell(line, stage.onIt(onPath(box)))
      expect(ended.code, `${line}\n${ended.stderr}`).toBe(0)
      return ended.stdout
    }
    let id = ''
    const said = new Map<string, string>()
    for (const line of blocks('sh').join('').trimEnd().split('\n')) {
      if (line.includes(' attach ')) {
        const begun = box.path('begun')
        const words = ['--parsable', '-o', '/dev/null', '-D', '/', '--mem=50M']
        id = stage.slurm.call('sbatch', ...words, '--wrap', `touch ${begun}; sleep 5`)
        await stage.slurm.until(id, () => existsSync(begun))
      }
      said.set(line, await say(line.replaceAll('4711', id).replaceAll('/etc/slurm', box.directory)))
    }
    expect(lines(box.path('collected'))).toEqual(['5'])
    expect(said.get('jobmeter results list 1')).toContain('simulate_5')
    expect(said.get('jobmeter slurm compare 1')).toContain('collect')
    expect(said.get('jobmeter slurm compare --job 4711')).toContain(id)
    expect(readFileSync(box.path('prolog.d/jobmeter.sh'), 'utf8')).toContain('slurm attach')
    await say('jobmeter workflows create-from-spec workers.yaml')
  })
}
