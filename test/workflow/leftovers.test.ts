import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox, type Sandbox } from '../program.ts'
import { flow, until } from './flow.ts'

/** Attempt 1 never ends by itself and has nothing in its environment that names it; attempt 2 does its work. */
const hidden = (start: string, more: string) => `jobs:
  - name: a
    command: 'test $JOBMETER_ATTEMPT = 2 || { echo $$ > leader; ${start} env -i sh -c "echo \\$\\$ > left; exec sleep 600" > /dev/null 2>&1; }'
${more}
`

const isAlive = (pid: number): boolean => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

/** A process takes a moment to be gone after it was killed. */
const gone = (pid: number): Promise<void> => until(() => !isAlive(pid))

const pidIn = (box: Sandbox, name: string): number =>
  existsSync(box.path(name)) ? Number(readFileSync(box.path(name), 'utf8')) : 0

/** Commands of actions write no leader down: they carry a mark that is noted before they are started. */
const isNoted = (box: Sandbox, pid: number): boolean =>
  pid === 0 ||
  globSync(`${box.db}.spool/*.alive`).some((sign) =>
    readFileSync(sign, 'utf8').includes(`"pid":${pid},`),
  )

async function killRunner(box: Sandbox, spec: string): Promise<number> {
  const run = box.start(['run', flow(box, spec)], { input: '' })
  // Of a runner that is killed before it could note what it started, nobody knows whose a hidden process is.
  await until(() => pidIn(box, 'left') > 0 && isNoted(box, pidIn(box, 'leader')))
  run.signal('SIGKILL')
  await run.ended
  const left = pidIn(box, 'left')
  expect(isAlive(left)).toBe(true)
  return left
}

const inRoot = process.getuid?.() === 0

describe('what a killed runner left of a job that cleared its environment', () => {
  it('is found by its process group', async () => {
    using box = sandbox()
    const left = await killRunner(box, hidden('', ''))
    const { code, stderr } = await box.jobmeter(['run', '--resume', '1'])
    expect(code, stderr).toBe(0)
    expect(stderr).toContain(String(left))
    await gone(left)
  })

  it('is found though the main process is gone', async () => {
    using box = sandbox()
    const left = await killRunner(box, hidden('', ''))
    process.kill(pidIn(box, 'leader'), 'SIGKILL')
    await until(() => !isAlive(pidIn(box, 'leader')))
    expect((await box.jobmeter(['run', '--resume', '1'])).code).toBe(0)
    await gone(left)
  })

  it.skipIf(!inRoot)('is found by its cgroup though it left the group (as root)', async () => {
    using box = sandbox()
    const asksForLong = '    resource_requirements: { runtime: 60s, num_cpus: 1, memory: 10m }'
    const left = await killRunner(box, hidden('setsid', asksForLong))
    expect((await box.jobmeter(['run', '--resume', '1'])).code).toBe(0)
    await gone(left)
  })

  it('is ended by `workflows cancel` too', async () => {
    using box = sandbox()
    const left = await killRunner(box, hidden('', ''))
    expect((await box.jobmeter(['workflows', 'cancel', '1'])).code).toBe(0)
    await gone(left)
    writeFileSync(box.path('done'), '')
  })
})

describe('what a killed runner left that is no process of a job’s own', () => {
  it('is found in a job that another jobmeter ran inside of it', async () => {
    using box = sandbox()
    const inner = `$JOBMETER run -q --db inner.db -- sh -c "echo \\$\\$ > left; exec sleep 600"`
    const spec = `jobs:
  - name: a
    command: 'test $JOBMETER_ATTEMPT = 2 || ${inner} > /dev/null 2>&1'
`
    writeFileSync(box.path('flow.yaml'), `name: flow\n${spec}`)
    const runner = box.shell('exec $JOBMETER run flow.yaml & echo $! > runner; wait')
    await until(() => pidIn(box, 'left') > 0)
    process.kill(pidIn(box, 'runner'), 'SIGKILL')
    await runner
    expect(isAlive(pidIn(box, 'left'))).toBe(true)
    const { code, stderr } = await box.jobmeter(['run', '--resume', '1'])
    expect(code, stderr).toBe(0)
    await gone(pidIn(box, 'left'))
  })

  it('is found where it was a command of an action', async () => {
    using box = sandbox()
    const left = await killRunner(
      box,
      `actions:
  - trigger_type: on_workflow_start
    action_type: run_commands
    commands: ['test -e left || { echo $$ > left; exec sleep 600; }']
jobs: [{ name: a, command: "true" }]
`,
    )
    const { code, stderr } = await box.jobmeter(['run', '--resume', '1'])
    expect(code, stderr).toBe(0)
    await gone(left)
  })
})
