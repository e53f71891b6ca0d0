import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import { realSystem } from '../../system/real.ts'
import { pageScript } from './page-script.ts'

describe('pageScript', () => {
  it('is the script of each page, which ends nothing but itself', () => {
    const system = realSystem({ ownsProcess: false })
    for (const page of ['report', 'plot', 'heat'] as const) {
      const script = pageScript(system, page)
      expect(script.slice(0, 40)).toMatch(/^"use strict";\(function\(\)\{/)
      expect(script.slice(-10)).toMatch(/\}\)\(\);?\s*$/)
      expect(/<\/script|<!--/i.exec(script)).toBeNull()
    }
  })

  it('tells what to do where it is missing', () => {
    expect(() => pageScript(fakeSystem(), 'report')).toThrow(/npm run build/)
  })
})
