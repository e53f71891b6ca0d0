import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { submission } from '../../../test/queue/some-submission.ts'
import type { QueueOrder } from '../../model/queue-order.ts'
import { realSystem } from '../../system/real.ts'
import { readTools } from '../../workflow/tools/read-tools.ts'
import { readWorkerRules } from '../../workflow/worker-rules/read-worker-rules.ts'
import { Admission } from './admission.ts'

const toolsHere = `tools:
  mesh: { command: [sh, -c, "echo here {params.size}"], environment: { PLACE: here } }
`

const system = realSystem({ ownsProcess: false })

describe('what a worker runs', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'jobmeter-admission-'))
    for (const name of ['sh', 'docker']) {
      writeFileSync(join(folder, name), '#!/bin/sh\necho another\n')
      chmodSync(join(folder, name), 0o755)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  function admission(rules: string): Admission {
    const read = readWorkerRules(rules, 'worker.yaml', 'ada')
    const tools = readTools(toolsHere, 'tools.yaml')
    if (read.kind !== 'ok' || tools.kind !== 'ok') throw new Error('a file is wrong')
    return new Admission(system, read.value, tools.value, { PATH: '/usr/bin:/bin', OURS: 'yes' })
  }
  const { order: some } = submission()
  const admit = (rules: string, differences: Partial<QueueOrder>) => {
    const order = { ...some, tool: 'sh', command: ['sh'], ...differences }
    return admission(rules).admit({
      taskId: '',
      jobId: '',
      number: 1,
      laneId: 1,
      isAhead: false,
      user: 'ada',
      order,
    })
  }
  const onlySh = 'commands: [sh]'

  it('is the program that its rules name, and no other of the same name', () => {
    for (const program of ['sh', '/bin/sh', '/usr/bin/sh'])
      expect(admit(onlySh, { command: [program] })).toMatchObject({ command: [program] })
    const another = join(folder, 'sh')
    expect(admit(onlySh, { command: [another] })).toBe(`this worker does not run ${another}`)
    expect(admit(onlySh, { command: ['./sh'], workingDirectory: folder })).toContain(another)
    expect(admit(`commands: [${another}]`, { command: [another] })).toMatchObject({ tool: 'sh' })
    expect(admit(`commands: [${another}]`, {})).toBe('this worker does not run sh')
    expect(admit('tools: [sh]', { command: [another] })).toContain('is not the program')
    const kind = { user: 'ada', tool: 'sh', image: '' }
    expect(admission(onlySh).accepts({ ...kind, program: another })).toBe(false)
    expect(admission(onlySh).accepts({ ...kind, program: 'sh' })).toBe(true)
  })

  it('is what is really run, of attempts of workflows too', () => {
    const attempt = { ...some, command: ['cat'] }
    expect(admit(onlySh, { attempt })).toBe('this worker does not run cat')
    expect(admit('tools: [mesh]', { tool: 'mesh', attempt })).toContain('has no tool mesh')
  })

  it('is not changed by variables', () => {
    const names = ['PATH', 'BASH_ENV', 'BASH_FUNC_echo%%', 'LD_PRELOAD', 'PYTHONPATH', 'X']
    for (const name of names) {
      const environment = { OMP_NUM_THREADS: '2', [name]: folder }
      for (const rules of [onlySh, 'tools: [sh]', 'images: [good]'])
        expect(admit(rules, { environment })).toBe(
          `this worker lets jobs set no variable ${name}; who runs it can allow that in its file: environment: [${name}]`,
        )
      expect(admit('users: [ada]', { environment })).toMatchObject({ environment })
    }
    const environment = { OMP_NUM_THREADS: '2' }
    expect(admit(onlySh, { environment })).toMatchObject({ environment })
    expect(admit(`${onlySh}\nenvironment: []`, { environment })).toContain('OMP_NUM_THREADS')
  })

  it('is changed by those that its file allows, and by no others of like names', () => {
    const allowing = `${onlySh}\nenvironment: [SIM_*, SEED]`
    const environment = { SIM_LEVEL: '3', SEED: '1' }
    expect(admit(allowing, { environment })).toMatchObject({ environment })
    for (const name of ['SEED2', 'A_SEED', 'MY_SIM_LEVEL', 'OMP_NUM_THREADS'])
      expect(admit(allowing, { environment: { [name]: '1' } })).toContain(name)
    const path = `${onlySh}\nenvironment: [PATH]`
    expect(admit(path, { environment: { PATH: folder } })).toContain('does not run')
  })

  it('has, of what the runner of a workflow has around it, what its file allows', () => {
    const around = { PATH: folder, BASH_ENV: 'x', OURS: 'no', SEED: '1', JOBMETER_RUN_ID: '1' }
    const attempt = { ...some, command: ['sh'], environment: around }
    const rules = `${onlySh}\nenvironment: [SEED]\ndirectories: ['*']`
    const kept = { PATH: '/usr/bin:/bin', OURS: 'yes', SEED: '1', JOBMETER_RUN_ID: '1' }
    expect(admit(rules, { attempt })).toEqual({
      ...some,
      tool: 'sh',
      command: ['sh'],
      attempt: { ...attempt, environment: kept },
    })
    expect(admit('users: [ada]', { attempt })).toMatchObject({ attempt })
  })

  it('is a tool as its own file has it, whatever the submitter says', () => {
    const hers = { tool: 'mesh', command: ['/tmp/evil'], image: 'evil', params: { size: 3 } }
    expect(admit('tools: [mesh]', hers)).toMatchObject({
      command: ['sh', '-c', 'echo here 3'],
      image: '',
      environment: { PLACE: 'here' },
    })
    expect(admit('users: [ada]', hers)).toMatchObject({ command: ['/tmp/evil'] })
    const set = (PLACE: string) => admit('tools: [mesh]', { ...hers, environment: { PLACE } })
    expect(set('here')).toMatchObject({ environment: { PLACE: 'here' } })
    expect(set('there')).toContain('lets jobs set no variable PLACE')
    expect(admit('tools: [mesh]', { ...hers, params: {} })).toContain('needs the parameter "size"')
    expect(admit('tools: [cat]', { ...hers, tool: 'cat' })).toContain('has no tool cat')
  })

  describe('writes only where its rules let it', () => {
    const attempt = (differences: object) => ({
      attempt: { ...some, command: ['sh'], workingDirectory: folder, ...differences },
    })
    const inFolder = () => `commands: [sh]\ndirectories: [${folder}]`

    it('what the attempt of a workflow prints', () => {
      const logs = { stdout: join(folder, 'logs/a.o'), stderr: join(folder, 'logs/a.e') }
      expect(admit(inFolder(), attempt(logs))).toMatchObject(attempt(logs))
      const outside = 'lets jobs read and write only in'
      symlinkSync('/etc', join(folder, 'link'))
      for (const stdout of [
        '/etc/cron.d/mine',
        join(folder, '../mine'),
        join(folder, 'link/cron.d/mine'),
        `${folder}-more/mine`,
        '../../../etc/passwd',
      ]) {
        expect(admit(inFolder(), attempt({ stdout }))).toContain(outside)
        expect(admit(inFolder(), attempt({ stderr: stdout }))).toContain(outside)
      }
      expect(admit(inFolder(), attempt({ stdin: '/etc/shadow' }))).toContain(outside)
      expect(admit(inFolder(), attempt({ workingDirectory: '/' }))).toContain(outside)
      expect(admit(inFolder(), { workingDirectory: '/' })).toContain(outside)
    })

    it('and nowhere, where they limit what is run and name no directories', () => {
      const stdout = join(folder, 'a.o')
      for (const rules of [onlySh, 'tools: [sh]', 'images: [good]'])
        expect(admit(rules, attempt({ stdout }))).toContain('names no directories')
      expect(admit(onlySh, attempt({ stdout: '/dev/null' }))).toMatchObject({ tool: 'sh' })
      expect(admit('users: [ada]', attempt({ stdout }))).toMatchObject({ tool: 'sh' })
    })
  })

  describe('has the image that its rules name', () => {
    const goodOnly = 'images: [good]'
    const run = ['docker', 'run', '--rm', '--env', 'A', '--volume', '/data:/data', '--workdir']
    const docker = join('/usr/bin', 'docker')
    const admitImage = (command: readonly string[], differences: Partial<QueueOrder> = {}) =>
      admit(goodOnly, { command, ...differences })

    it('as the command says that is run, and not as the submitter says', () => {
      const good = [...run, '/data', 'good', 'sh']
      expect(admitImage(good, { image: 'good' })).toMatchObject({ command: good })
      expect(admitImage(good)).toMatchObject({ command: good })
      const evil = [...run, '/data', 'evil', 'good']
      expect(admitImage(evil, { image: 'good' })).toBe('this worker does not run the image evil')
      expect(admitImage(evil)).toBe('this worker does not run the image evil')
      expect(admitImage(['sh'], { image: 'good' })).toContain('runs no container')
      const attempt = { ...some, command: evil }
      expect(admitImage(['sh'], { attempt })).toBe('this worker does not run the image evil')
      const apptainer = ['apptainer', 'exec', '--bind', '/data', '--pwd', '/', 'evil', 'sh']
      expect(admitImage(apptainer)).toBe('this worker does not run the image evil')
    })

    it('and not in a form in which it cannot be told', () => {
      for (const command of [
        ['docker', 'run', '--rm', '--name', 'good', 'evil'],
        ['docker', 'run', '--rm', '--privileged', 'good'],
        ['docker', 'run', '--rm', '--device', '/dev/sda', 'good'],
        ['docker', 'run', '--rm', '--env'],
        ['docker', '--host', 'tcp://evil:1', 'run', '--rm', 'good'],
        ['docker', 'exec', 'some', 'sh'],
        ['nice', 'docker', 'run', '--rm', 'evil'],
        ['env', '-i', docker, 'run', '--rm', 'evil'],
        [join(folder, 'docker'), 'run', '--rm', 'good'],
      ])
        expect(admitImage(command), command.join(' ')).toContain('only as jobmeter itself')
      const elsewhere = { DOCKER_HOST: 'tcp://evil:1' }
      const good = ['docker', 'run', '--rm', 'good']
      const setting = (environment: Record<string, string>) =>
        admit(`${goodOnly}\nenvironment: ['*']`, { command: good, environment })
      expect(setting(elsewhere)).toContain('that set DOCKER_HOST')
      expect(setting({ PATH: folder })).toContain('only as jobmeter')
    })

    it('with no more of the machine than its directories', () => {
      const rules = `images: [good]\ndirectories: [${folder}]`
      const mount = (source: string) => ({
        command: ['docker', 'run', '--rm', '--volume', `${source}:/inside`, 'good'],
        workingDirectory: folder,
      })
      expect(admit(rules, mount(folder))).toMatchObject({ image: '' })
      expect(admit(rules, mount('/'))).toContain('read and write only in')
      expect(admit(rules, mount('named'))).toContain('read and write only in')
    })
  })
})
