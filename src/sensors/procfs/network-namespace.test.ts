import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import { realFiles } from '../../system/real-files.ts'
import { isInNamespaceOf, readNetworkNamespace } from './network-namespace.ts'

describe('the network namespace of a process', () => {
  it('is told by its name, and not of one that is gone', () => {
    const { files } = fakeSystem({ files: { '/proc/7/ns/net': 'net:[4026532281]' } })
    expect(readNetworkNamespace(files, 7)).toBe('net:[4026532281]')
    expect(readNetworkNamespace(files, 8)).toBeUndefined()
  })

  it('is told by its file, as the kernel has it', () => {
    const ours = realFiles.open('/proc/self/net/dev')
    const other = realFiles.open('/proc/self/net/snmp')
    try {
      expect(isInNamespaceOf(realFiles, ours, process.pid)).toBe(true)
      expect(isInNamespaceOf(realFiles, other, process.pid)).toBe(false)
      expect(isInNamespaceOf(realFiles, ours, 2 ** 30)).toBe(false)
    } finally {
      realFiles.close(ours)
      realFiles.close(other)
    }
  })

  it('is not told where nothing of ours is open to compare with', () => {
    expect(isInNamespaceOf(realFiles, -1, process.pid)).toBeUndefined()
  })
})
