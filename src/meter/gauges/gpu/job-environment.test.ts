import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../../system/fake.ts'
import { environmentOf } from './job-environment.ts'

const environ = 'HOME=/root\0CUDA_VISIBLE_DEVICES=0\0CUDA_DEVICE_ORDER=PCI_BUS_ID\0'

const environmentWith = (files: Readonly<Record<string, string>>): string =>
  environmentOf(
    fakeSystem({
      files: {
        '/proc/self/ns/mnt': 'mnt:[1]',
        '/dev/nvidia0': '',
        '/dev/nvidia1': '',
        '/dev/nvidiactl': '',
        '/proc/7/environ': environ,
        ...files,
      },
    }).files,
    7,
  )

describe('the environment of a job, where it names devices by numbers', () => {
  it('stands for a process that sees what we see', () => {
    expect(environmentWith({ '/proc/7/ns/mnt': 'mnt:[1]' })).toBe(environ)
  })

  it('stands in a mount namespace of its own with the same devices', () => {
    const files = { '/proc/7/root/dev/nvidia0': '', '/proc/7/root/dev/nvidia1': '' }
    expect(environmentWith({ '/proc/7/ns/mnt': 'mnt:[2]', ...files })).toBe(environ)
  })

  it('says nothing in a container that was given the second card alone, which is its number 0', () => {
    const files = { '/proc/7/ns/mnt': 'mnt:[2]', '/proc/7/root/dev/nvidia1': '' }
    expect(environmentWith(files)).toBe('HOME=/root\0CUDA_DEVICE_ORDER=PCI_BUS_ID\0')
    const byId = 'CUDA_VISIBLE_DEVICES=GPU-aaaa\0'
    expect(environmentWith({ ...files, '/proc/7/environ': byId })).toBe(byId)
    const none = 'CUDA_VISIBLE_DEVICES=-1\0'
    expect(environmentWith({ ...files, '/proc/7/environ': none })).toBe(none)
  })

  it('stands in a container that has all cards, though not all files of the host are for them', () => {
    const files = {
      '/dev/dri/renderD128': '',
      '/proc/7/ns/mnt': 'mnt:[2]',
      '/proc/7/root/dev/nvidia0': '',
      '/proc/7/root/dev/nvidia1': '',
    }
    expect(environmentWith(files)).toBe(environ)
    const both = 'CUDA_VISIBLE_DEVICES=0\0ROCR_VISIBLE_DEVICES=0\0HIP_VISIBLE_DEVICES=0\0'
    expect(environmentWith({ ...files, '/proc/7/environ': both })).toBe('CUDA_VISIBLE_DEVICES=0\0')
  })

  it('stands for cards of AMD, whose files are others', () => {
    const rocr = 'ROCR_VISIBLE_DEVICES=0\0'
    const files = {
      '/dev/dri/renderD128': '',
      '/proc/7/environ': rocr,
      '/proc/7/ns/mnt': 'mnt:[2]',
      '/proc/7/root/dev/dri/renderD128': '',
    }
    expect(environmentWith(files)).toBe(rocr)
    expect(environmentWith({ ...files, '/proc/7/environ': 'CUDA_VISIBLE_DEVICES=0\0' })).toBe('')
  })

  it('goes by the files of AMD where CUDA’s variable is for its cards', () => {
    const environmentOn = (theirs: Readonly<Record<string, string>>): string => {
      const ours = { '/dev/null': '', '/dev/dri/renderD128': '', '/dev/dri/renderD129': '' }
      const process = { '/proc/7/environ': 'CUDA_VISIBLE_DEVICES=0\0', '/proc/7/ns/mnt': 'mnt:[2]' }
      const files = { '/proc/self/ns/mnt': 'mnt:[1]', ...ours, ...process, ...theirs }
      return environmentOf(fakeSystem({ files }).files, 7)
    }
    const second = { '/proc/7/root/dev/dri/renderD129': '' }
    expect(environmentOn(second)).toBe('')
    expect(environmentOn({ ...second, '/proc/7/root/dev/dri/renderD128': '' })).not.toBe('')
  })

  it('says nothing where it is not ours to see what the process sees', () => {
    expect(environmentWith({ '/proc/7/ns/mnt': 'mnt:[2]' })).not.toContain('VISIBLE')
  })
})
