import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { colourStyle, plainStyle, type Style } from './style.ts'

const roles = Object.keys(plainStyle) as (keyof Style)[]

describe('style', () => {
  it.each(roles)('%s colours without looking at the terminal, and plain leaves alone', (role) => {
    expect(plainStyle[role]('x')).toBe('x')
    expect(colourStyle[role]('x')).not.toBe('x')
    expect(stripVTControlCharacters(colourStyle[role]('x'))).toBe('x')
  })
})
