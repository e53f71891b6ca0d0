import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import vm from 'node:vm'
import { engineFlags } from '../src/system/engine.ts'

/**
 * Loaded before bin/jobmeter.cjs when the program is built: when it ends, what V8 has compiled by then of each file of the
 * program goes to a file of the same name in the folder JOBMETER_CODE_FOLDER.
 */
const folder = process.env['JOBMETER_CODE_FOLDER'] ?? ''
const scripts = new Map<string, vm.Script>()

vm.Script = class extends vm.Script {
  constructor(source: string, options: vm.ScriptOptions & { filename: string }) {
    super(source, options)
    scripts.set(basename(options.filename), this)
  }
}

process.on('exit', () => {
  // V8 takes kept code only with the flags that it was made with, and these are set after it is loaded.
  for (const { usual } of engineFlags) setFlagsFromString(usual)
  for (const [name, script] of scripts) writeFileSync(join(folder, name), script.createCachedData())
})
