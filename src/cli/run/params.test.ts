import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseParams } from './params.ts'
import { UserError } from '../../service/user-error.ts'

describe('--param', () => {
  it('reads numbers, booleans and null as what they are, and all else as text', () => {
    expect(
      parseParams(['mesh=64', 'rate=-0.5', 'fast=true', 'seed=null', 'name=fine', 'empty=']),
    ).toEqual({ mesh: 64, rate: -0.5, fast: true, seed: null, name: 'fine', empty: '' })
  })

  it('splits at the first equals sign', () => {
    expect(parseParams(['filter=a=b'])).toEqual({ filter: 'a=b' })
  })

  it('keeps numbers that would come back otherwise as text', () => {
    expect(parseParams(['a=1e400', 'b=12345678901234567890', 'c=1.0', 'd=-0', 'e=007'])).toEqual({
      a: '1e400',
      b: '12345678901234567890',
      c: '1.0',
      d: '-0',
      e: '007',
    })
  })

  it('lets the last of several count', () => {
    expect(parseParams(['a=1', 'a=2'])).toEqual({ a: 2 })
  })

  it.each(['mesh', '=64', ''])('says how "%s" should be written', (pair) => {
    expect(() => parseParams([pair])).toThrow(UserError)
    expect(() => parseParams([pair])).toThrow(/--param mesh_size=64/)
  })

  it('loses nothing of any value', () => {
    // Values that are JSON of their own are another matter.
    const value = fc.string().filter((text) => !/^\s*["[{\d-]|^\s*(true|false|null)\s*$/.test(text))
    const name = fc.string({ minLength: 1 }).filter((text) => !text.includes('='))
    fc.assert(
      fc.property(name, value, (key, text) => {
        expect(Object.entries(parseParams([`${key}=${text}`]))).toEqual([[key, text]])
      }),
    )
  })

  it('gives back any number as it was written', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const { x } = parseParams([`x=${number}`])
        expect(String(x)).toBe(String(number))
      }),
    )
  })
})
