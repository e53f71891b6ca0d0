import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileTemplate, namesInBraces } from './template.ts'

const names = { parameters: ['i', 'lr'], variables: { root: '/data', n: 3 } }
const fill = (text: string): string | undefined => compileTemplate(text, names).filledWith([7, 0.1])

describe('compileTemplate', () => {
  it.each([
    ['a_{i}', 'a_7'],
    ['{i:03d}-{lr:.4f}', '007-0.1000'],
    ['{root}/x{n:02d}', '/data/x03'],
    ['${i} ${HOME} {unknown} {print} {1..3} {}', '${i} ${HOME} {unknown} {print} {1..3} {}'],
    ['{{i}}', '{7}'],
    ['${files.input.part_{i}}', '${files.input.part_7}'],
    ['{i', '{i'],
    ['{ i }', '{ i }'],
  ])('makes %s into %s', (text, filled) => {
    expect(fill(text)).toBe(filled)
  })

  it('knows what is the same for all values', () => {
    expect(compileTemplate('{root} {x}', names).isConstant).toBe(true)
    expect(compileTemplate('{root} {i}', names).isConstant).toBe(false)
  })

  it('prefers a parameter to a variable of its name', () => {
    const both = { parameters: ['x'], variables: { x: 'variable' } }
    expect(compileTemplate('{x}', both).filledWith(['parameter'])).toBe('parameter')
  })

  it('names a format that is none, and fits no text into a format for numbers', () => {
    expect(compileTemplate('{i:zz}', names).fault).toContain('"zz" is not a format')
    expect(compileTemplate('{i:d}', names).filledWith(['text', 1])).toBeUndefined()
  })

  it('leaves text without known names as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '$', 'a', ':', '3') }), (text) => {
        expect(fill(text)).toBe(text)
      }),
    )
  })

  it('escapes only what it puts in', () => {
    const escaped = compileTemplate('^{lr}.$', names).filledWith([7, 0.1], (text) => `<${text}>`)
    expect(escaped).toBe('^<0.1>.$')
  })
})

describe('namesInBraces', () => {
  it('finds names, but not those of the shell', () => {
    expect(namesInBraces('{i} {x:03d} ${y} {not one}')).toEqual(['i', 'x'])
  })
})
