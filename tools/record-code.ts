import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import vm from 'node:vm'

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
  for (const [name, script] of scripts) writeFileSync(join(folder, name), script.createCachedData())
})
