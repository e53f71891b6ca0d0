import { describe, expect, it } from 'vitest'
import { CountedInterfaces } from './counted-interfaces.ts'

type Told = readonly [name: string, receivedBytes: number, sentBytes: number, index?: number]

function counted(...looks: readonly (readonly Told[])[]): CountedInterfaces {
  const interfaces = new CountedInterfaces()
  for (const look of looks) {
    for (const told of look) interfaces.take(...told)
    interfaces.endLook()
  }
  return interfaces
}

describe('the interfaces of a namespace', () => {
  it('count from when each is first seen, and say where they had counted before', () => {
    const made = counted([], [['eth0', 0, 0]], [['eth0', 30, 20]])
    expect(made).toMatchObject({ receivedBytes: 30, sentBytes: 20, hadMore: false })
    const moved = counted([], [['eth0', 5, 0]], [['eth0', 30, 20]])
    expect(moved).toMatchObject({ receivedBytes: 25, sentBytes: 20, hadMore: true })
  })

  it('are without loopback and those that hand on what others count', () => {
    const looks = [0, 70].map((bytes): Told[] => [
      ['lo', bytes, bytes],
      ['veth1', bytes, bytes],
    ])
    expect(counted(...looks)).toMatchObject({ receivedBytes: 0, sentBytes: 0 })
  })

  it('are others where one of their counters went back', () => {
    const remade = counted([['eth0', 0, 0]], [['eth0', 50, 90]], [['eth0', 70, 10]])
    expect(remade).toMatchObject({ receivedBytes: 50, sentBytes: 90, hadMore: true })
  })

  it('are others where they have another number, though they counted on', () => {
    const swapped = counted([['e1', 0, 0, 3]], [['e1', 10, 0, 3]], [['e1', 900, 0, 4]])
    expect(swapped).toMatchObject({ receivedBytes: 10, hadMore: true })
  })

  it('are the same where their number is not told all the time, as while they are down', () => {
    const looks: Told[][] = [
      [['e1', 0, 0]],
      [['e1', 10, 0, 3]],
      [['e1', 20, 0]],
      [['e1', 30, 0, 3]],
    ]
    expect(counted(...looks)).toMatchObject({ receivedBytes: 30 })
    expect(counted(...looks, [['e1', 900, 0, 4]])).toMatchObject({ receivedBytes: 30 })
  })
})
