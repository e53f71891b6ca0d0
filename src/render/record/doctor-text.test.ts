import { describe, expect, it } from 'vitest'
import type { DoctorReport } from '../../model/doctor.ts'
import { doctorText } from './doctor-text.ts'
import { plainStyle } from '../text/style.ts'

const report: DoctorReport = {
  version: '0.1.0',
  node: '24.21.0',
  kernel: '6.1.0-18-amd64',
  host: 'node-7',
  rungs: [
    { name: 'A cgroup of its own', state: 'yes', finding: 'v2, delegated', remedy: null },
    {
      name: 'Kernel accounting at exit',
      state: 'no',
      finding: 'koffi is not installed',
      remedy: 'npm install koffi, so that children which daemonise are counted and CPU is exact',
    },
    {
      name: 'Pressure',
      state: 'partly',
      finding: 'the whole machine only\u001b[2J',
      remedy: 'boot with psi=1',
    },
  ],
}

describe('doctorText', () => {
  it('shows what works, what was found, and what to do', async () => {
    await expect(doctorText(report, plainStyle)).toMatchFileSnapshot(
      '../../../test/golden/render/doctor.txt',
    )
  })

  it('takes a machine of which nothing is known', () => {
    expect(doctorText({ ...report, rungs: [] }, plainStyle)).toContain('jobmeter 0.1.0 on node-7')
  })
})
