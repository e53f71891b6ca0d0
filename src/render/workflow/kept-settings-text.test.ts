import { expect, it } from 'vitest'
import { parseBytes } from '../../model/bytes.ts'
import { keptSettingsText } from './kept-settings-text.ts'

it.each(['500 KB', '1 MB', '1.5 GB', '4 GB', '123'])('tells %s so that it reads back', (size) => {
  const memoryBytes = parseBytes(size)
  const text = keptSettingsText({ capacity: { memoryBytes } })
  expect(parseBytes(/--memory (\S+);/.exec(text)?.[1] ?? '')).toBe(memoryBytes)
})
