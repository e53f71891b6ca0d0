import { describe, expect, it } from 'vitest'
import type { JobContainer } from '../../model/workflow.ts'
import { fakeSystem } from '../../system/fake.ts'
import { containerWords } from './container-words.ts'

const container: JobContainer = {
  image: 'image:1',
  runtime: null,
  mounts: ['./data:/data:ro', '/scratch:/scratch'],
  arguments: ['--gpus', 'all'],
  workingDirectory: '/data',
}
const place = (...files: readonly string[]) => ({
  files: fakeSystem({ files: Object.fromEntries(files.map((path) => [path, ''])) }).files,
  environment: { PATH: '/bin:/usr/bin' },
  workingDirectory: '/home/u',
})

describe('containerWords', () => {
  it('runs the line in what is installed, with the variables of the job', () => {
    const words = containerWords(container, 'echo $A', ['A'], place('/usr/bin/podman'))
    expect(words.slice(0, 5)).toEqual(['podman', 'run', '--rm', '--env', 'JOBMETER_TASK_ID'])
    expect(words.join(' ')).toMatch(
      / --env A --volume \/home\/u\/data:\/data:ro --volume \/scratch:\/scratch --workdir \/data --gpus all image:1 sh -c echo \$A$/,
    )
  })

  it('speaks to Apptainer in its own words', () => {
    const words = containerWords({ ...container, runtime: 'apptainer' }, 'true', [], place())
    expect(words.join(' ')).toBe(
      'apptainer exec --bind /home/u/data:/data:ro --bind /scratch:/scratch --pwd /data --gpus all image:1 sh -c true',
    )
  })

  it('names Docker where nothing is installed, so that its absence is told', () => {
    expect(containerWords(container, 'true', [], place())[0]).toBe('docker')
  })
})
