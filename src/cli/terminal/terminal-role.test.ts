import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import { terminalOf } from './terminal-role.ts'

/** Our own stat line, with our group, terminal and the group in front on it. */
const stat = (group: number, terminal: number, foreground: number) =>
  `42 (node) S 7 ${group} 7 ${terminal} ${foreground} 4194304 9 0 0 0 1 1 0 0 20 0 11 0 5000 ` +
  '99999744 1024 18446744073709551615 1 1 0 0 0 0 0 4096 65536 1 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n'

describe('how a job stands to our terminal', () => {
  it('leads a group of its own where there is none', () => {
    const role = terminalOf(fakeSystem({ files: { '/proc/self/stat': stat(42, 0, -1) } }))
    expect(role.group).toBe('own')
    expect(role.delivers('SIGINT')).toBe(false)
  })

  it('shares our group on one, and gets what the keyboard sends', () => {
    const role = terminalOf(fakeSystem({ files: { '/proc/self/stat': stat(42, 34816, 42) } }))
    expect(role.group).toBe('shared')
    expect(role.delivers('SIGINT')).toBe(true)
    expect(role.delivers('SIGQUIT')).toBe(true)
    expect(role.delivers('SIGTERM')).toBe(false)
    expect(role.delivers('SIGHUP')).toBe(false)
  })

  it('is asked at each signal: in the background the keyboard sends nothing', () => {
    const system = fakeSystem({ files: { '/proc/self/stat': stat(42, 34816, 42) } })
    const role = terminalOf(system)
    system.tree.set('/proc/self/stat', stat(42, 34816, 99))
    expect(role.delivers('SIGINT')).toBe(false)
  })

  it('leads a group of its own where nothing can be told', () => {
    expect(terminalOf(fakeSystem()).group).toBe('own')
    expect(terminalOf(fakeSystem({ files: { '/proc/self/stat': 'garbage' } })).group).toBe('own')
  })
})
