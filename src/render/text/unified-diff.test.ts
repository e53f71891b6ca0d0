import { describe, expect, it } from 'vitest'
import { plainStyle } from './style.ts'
import { unifiedDiff } from './unified-diff.ts'

const text = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join('')

describe('unifiedDiff', () => {
  it('is empty where nothing changes', () => {
    expect(unifiedDiff('a', text, [], plainStyle)).toBe('')
  })

  it('shows three lines around each change, and near ones together', () => {
    const changes = [
      { line: 1, before: 'line 2', after: ['line two'] },
      { line: 4, before: 'line 5', after: ['line 5', 'line five and a half'] },
      { line: 18, before: 'line 19', after: ['line nineteen'] },
    ]
    expect(unifiedDiff('a.yaml', text, changes, plainStyle)).toBe(`--- a.yaml
+++ a.yaml
@@ -1,8 +1,9 @@
 line 1
-line 2
+line two
 line 3
 line 4
 line 5
+line five and a half
 line 6
 line 7
 line 8
@@ -16,5 +17,5 @@
 line 16
 line 17
 line 18
-line 19
+line nineteen
 line 20
`)
  })

  it('shows escapes of a terminal as text', () => {
    const changes = [{ line: 0, before: '\u001b[31mx', after: ['\u001b[32my\r'] }]
    const diff = unifiedDiff('a', '\u001b[31mx\n', changes, plainStyle)
    expect(diff).toContain('-\\x1b[31mx\n+\\x1b[32my\n')
  })
})
