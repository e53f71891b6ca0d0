import { describe, expect, it } from 'vitest'
import { lineColours, palette, quietLine } from './palette.ts'

type Channels = readonly [number, number, number]

/** Linear light of each channel, from 0 to 1. */
const light = (colour: string): Channels => {
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
  const linear = channels.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return [linear[0] ?? 0, linear[1] ?? 0, linear[2] ?? 0]
}

const product = (matrix: readonly Channels[], [r, g, b]: Channels): Channels => {
  const row = ([x, y, z]: Channels = [0, 0, 0]) => x * r + y * g + z * b
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])]
}

const luminance = ([r, g, b]: Channels): number => 0.2126 * r + 0.7152 * g + 0.0722 * b

function contrast(one: string, other: string): number {
  const both = [luminance(light(one)), luminance(light(other))]
  return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05)
}

/** How colours look to people without one kind of cone (Machado, Oliveira and Fernandes, 2009), and to all others. */
const eyes: Readonly<Record<string, readonly Channels[]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

/** OKLab, in which 0.02 is a difference that is just seen. */
function seen(colour: string, eye: readonly Channels[]): Channels {
  const [r, g, b] = product(eye, light(colour)).map((part) => Math.min(1, Math.max(0, part)))
  const cones = product(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    [r ?? 0, g ?? 0, b ?? 0],
  ).map(Math.cbrt)
  return product(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [cones[0] ?? 0, cones[1] ?? 0, cones[2] ?? 0],
  )
}

describe.each(['light', 'dark'] as const)('lines on a %s page', (theme) => {
  const colours = Object.values(lineColours).map((colour) => colour[theme])

  it('stand out from it', () => {
    for (const colour of [...colours, quietLine])
      expect(contrast(colour, palette.sheet[theme]), colour).toBeGreaterThan(3)
  })

  it.each(Object.keys(eyes))('are told apart by %s eyes', (name) => {
    const looks = colours.map((colour) => seen(colour, eyes[name] ?? []))
    for (const [index, [l, a, b]] of looks.entries())
      for (const [other, [otherL, otherA, otherB]] of looks.slice(0, index).entries())
        expect(
          Math.hypot(l - otherL, a - otherA, b - otherB),
          `${colours[index]} and ${colours[other]}`,
        ).toBeGreaterThan(0.12)
  })
})
