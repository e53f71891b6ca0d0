import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox, truth, usersByCgroups, workload, workloadsMissing } from '../program.ts'
import { cpuTolerance, expectCpu, runs } from './tolerance.ts'

describe.skipIf(workloadsMissing).each(usersByCgroups)('CPU seconds, measured as $name', (user) => {
  const cases = [
    { what: 'a job of 20 ms', command: ['burn', '20'] },
    { what: 'a job of 0.3 s', command: ['burn', '300'] },
    { what: '300 children of 30 ms, two at a time', command: ['children', '300', '30', '2'] },
    { what: 'a daemon that burns 3 s while its root waits', command: ['daemon', '3000'] },
  ]

  it.each(cases)('are what the workload says: $what', async ({ command }) => {
    using box = sandbox(user)
    const [name = '', ...args] = command
    const report = box.path('truth.json')
    const { ended, record } = await box.run(['--', workload(name), ...args, report])
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expectCpu(record, truth(report).cpuSeconds)
    const { cpu_user_seconds, cpu_system_seconds, cpu_total_seconds } = record.resource_usage
    expect((cpu_user_seconds ?? 0) + (cpu_system_seconds ?? 0)).toBeCloseTo(
      cpu_total_seconds ?? -1,
      5,
    )
  })

  it('are not 0 for a job of a millisecond', async () => {
    using box = sandbox(user)
    for (let round = 0; round < 5; round++) {
      const { record } = await box.run(['--', 'sh', '-c', 'exit 0'])
      const seconds = record.resource_usage.cpu_total_seconds ?? 0
      expect(seconds, record.basis['cpu_total_seconds']).toBeGreaterThan(0.0001)
      expect(seconds, record.basis['cpu_total_seconds']).toBeLessThan(0.02)
    }
  })

  it('count a job that a timeout killed, with its daemon, up to then', async () => {
    using box = sandbox(user)
    const { ended, record } = await box.run([
      '--timeout',
      '1',
      '--',
      workload('endless'),
      box.path('account'),
    ])
    const accounts = readAccounts(box.path('account'))
    expect(ended.code).toBe(124)
    expect(record).toMatchObject({ status: 'timeout', returncode: 124 })
    expect(accounts.filter(({ pid }) => runs(pid))).toEqual([])
    expectCpu(
      record,
      accounts.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    )
  })

  it('are exact where the parent ignores SIGCHLD, or too low and said to be so', async () => {
    using box = sandbox(user)
    const report = box.path('truth.json')
    const exact = (await box.run(['--', workload('burn'), '20', report])).record
    const { record } = await box.run(['--', workload('ignore-sigchld'), '10', '100', report])
    const { cpuSeconds } = truth(report)
    const told = record.resource_usage.cpu_total_seconds ?? Number.NaN
    expect(told).toBeLessThanOrEqual(cpuSeconds + cpuTolerance(cpuSeconds))
    const isExact = told >= cpuSeconds - cpuTolerance(cpuSeconds)
    const saysItIsNot = record.basis['cpu_total_seconds'] !== exact.basis['cpu_total_seconds']
    const honest = user.name.startsWith('root') ? isExact : isExact || saysItIsNot
    expect(honest, `${told} s told, ${cpuSeconds} s used, ${JSON.stringify(record.basis)}`).toBe(
      true,
    )
  })

  it('of 32 jobs at once are each the job’s own', async () => {
    using box = sandbox(user)
    const names = Array.from({ length: 32 }, (_, index) => `job-${index}`)
    const ends = await Promise.all(
      names.map((name) =>
        box.jobmeter(['run', '--name', name, '--', workload('burn'), '100', box.path(name)]),
      ),
    )
    expect(ends.map(({ code }) => code)).toEqual(names.map(() => 0))
    const records = await box.history()
    expect(records.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    for (const record of records) expectCpu(record, truth(box.path(record.name)).cpuSeconds)
  })
})

function readAccounts(path: string): { pid: number; cpuSeconds: number }[] {
  const bytes = readFileSync(path)
  return [0, 16].map((at) => ({
    pid: bytes.readDoubleLE(at),
    cpuSeconds: bytes.readDoubleLE(at + 8),
  }))
}
