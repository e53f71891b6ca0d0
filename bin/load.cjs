'use strict'

/**
 * Loads the program's files with the code that V8 compiled for them in an earlier run of the same command.
 *
 * Node's own compile cache keeps what was compiled when a file was loaded, before any function of it ran, so
 * that each run compiles some 400 functions anew: 7 of the 22 ms that `jobmeter run -- true` took over
 * bare Node. This keeps what was compiled by the end.
 */

var fs = require('node:fs')
var path = require('node:path')
var vm = require('node:vm')

/**
 * A private directory for compiled code, or undefined. Never one that somebody else owns or may write to (`sudo` may
 * keep HOME): we would run what they put there.
 */
function codeDirectory() {
  var home = process.env.XDG_CACHE_HOME || (process.env.HOME && process.env.HOME + '/.cache')
  if (!home || !path.isAbsolute(home)) return undefined
  var directory = path.join(home, 'jobmeter')
  var found = fs.statSync(directory, { throwIfNoEntry: false })
  return (found === undefined ? makeUnder(directory) : isOurs(found)) ? directory : undefined
}

function isOurs(found) {
  return found.uid === process.getuid() && (found.mode & 0o022) === 0
}

function makeUnder(directory) {
  var parent = path.dirname(directory)
  while (!fs.existsSync(parent)) parent = path.dirname(parent)
  if (!isOurs(fs.statSync(parent))) return false
  try {
    fs.mkdirSync(directory, { recursive: true, mode: 0o700 })
    return true
  } catch {
    return false
  }
}

/** Loads a file and whatever it requires by a relative path; `purpose` tells one command's code from another's. */
function createLoader(purpose) {
  var directory = codeDirectory()
  var modules = new Map()
  var fresh = []

  function load(file) {
    var known = modules.get(file)
    if (known !== undefined) return known.exports
    var module = { exports: {} }
    modules.set(file, module)
    var folder = path.dirname(file)
    var run = compile(file).runInThisContext()
    run(
      module.exports,
      (id) => (id[0] === '.' ? load(path.join(folder, id)) : require(id)),
      module,
      file,
      folder,
    )
    return module.exports
  }

  function compile(file) {
    var source = fs.readFileSync(file, 'utf8')
    var kept = directory === undefined ? undefined : keptName(file)
    var cachedData = kept === undefined ? undefined : readIfThere(kept)
    var script = new vm.Script(
      '(function (exports, require, module, __filename, __dirname) {' + source + '\n})',
      { filename: file, cachedData: cachedData },
    )
    if (kept !== undefined && (cachedData === undefined || script.cachedDataRejected))
      fresh.push({ kept: kept, script: script })
    return script
  }

  // V8 itself refuses code of another version of its own; of our files it would only notice a new length.
  function keptName(file) {
    var found = fs.statSync(file)
    var edition = found.size.toString(36) + '-' + Math.round(found.mtimeMs).toString(36)
    return path.join(directory, purpose + '-' + path.basename(file, '.cjs') + '.' + edition)
  }

  process.on('exit', () => fresh.forEach((entry) => keep(entry.kept, entry.script)))
  return load
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file)
  } catch {
    return undefined
  }
}

/** Whole or not at all; a cache that cannot be written is no reason to complain. */
function keep(file, script) {
  var unfinished = file + '.' + process.pid
  try {
    fs.writeFileSync(unfinished, script.createCachedData(), { mode: 0o600 })
    fs.renameSync(unfinished, file)
    var directory = path.dirname(file)
    var stem = path.basename(file).split('.')[0] + '.'
    fs.readdirSync(directory).forEach((name) => {
      if (name.startsWith(stem) && path.join(directory, name) !== file)
        fs.rmSync(path.join(directory, name), { force: true })
    })
  } catch {
    fs.rmSync(unfinished, { force: true })
  }
}

module.exports = { createLoader: createLoader }
