#!/usr/bin/env node
'use strict'

// Plain old JavaScript in one file: a Node too old for the rest must be able to read this and say so, and a second
// file would cost every start half a millisecond.
var fs = require('fs')
var path = require('path')

// What "engines" in package.json says: ^24.16 || >=26.1
function isNewEnough(version) {
  var found = version.split('.').map(Number)
  if (found[0] === 24) return found[1] >= 16
  if (found[0] === 26) return found[1] >= 1
  return found[0] > 26
}

// The first move into a v2 cgroup after a quiet time waits some 10 ms until every CPU has taken note (an RCU grace
// period); moves soon after it do not. So one that changes nothing is made in the background, before the code that
// starts a job is even loaded. Where it cannot be done nothing is lost but that time; beside v1 it is not needed,
// nor with a glibc that has the kernel place the job, which is kept in mind with the code.
// The answer is settled when it is over: if it came after a move into the job's cgroup it would undo that.
function warmUpCgroups() {
  if (!fs.existsSync('/sys/fs/cgroup/cgroup.procs')) return undefined
  try {
    var place = /^0::(\/.*)$/m.exec(fs.readFileSync('/proc/self/cgroup', 'latin1'))[1]
    var file = fs.openSync('/sys/fs/cgroup' + (place === '/' ? '' : place) + '/cgroup.procs', 'r+')
    return new Promise(function (resolve) {
      fs.write(file, String(process.pid), function () {
        fs.closeSync(file)
        resolve()
      })
    })
  } catch (error) {
    return undefined
  }
}

// Loads the built program with the code that V8 compiled for it in an earlier run of the same command. Node's own
// compile cache keeps what was compiled when a file was loaded, before any function of it ran, so that each
// run compiles some 400 functions anew: 7 of the 22 ms that `jobmeter run -- true` once took over bare Node. This
// keeps what was compiled by the end.
//
// The program's files carry a hash of their content in their names, and the first one names the others: its
// text stands for the whole build.
function createLoader(folder, main, purpose) {
  var Script = require('vm').Script
  var modules = {}
  var scripts = {}
  var isStale = false
  var code = keptCode(main, purpose)

  function load(name) {
    if (modules[name] !== undefined) return modules[name].exports
    var module = (modules[name] = { exports: {} })
    var source = name === 'main.cjs' ? main : fs.readFileSync(folder + '/' + name, 'latin1')
    var kept = code.parts[name]
    var script = new Script(source, { filename: folder + '/' + name, cachedData: kept })
    scripts[name] = script
    if (kept === undefined || script.cachedDataRejected) isStale = true
    script.runInThisContext()(module.exports, requireFrom, module, folder + '/' + name, folder)
    return module.exports
  }

  function requireFrom(id) {
    return id.charCodeAt(0) === 46 ? load(id.slice(2)) : require(id)
  }

  process.on('exit', function (exitCode) {
    // 2: the user mistyped something, and will hardly do so again.
    if (isStale && code.file !== undefined && (exitCode !== 2 || purpose === 'run'))
      keepCode(code, scripts)
  })
  return {
    load: load,
    needsWarmUp: code.needsWarmUp,
    forgoWarmUp: function () {
      code.needsWarmUp = false
      isStale = true
    },
  }
}

// A file of code is a line of JSON, with the names and lengths of its parts, and the parts; and all of it once more. V8
// checks nothing of what it is given: of 60 flipped bits, 16 ended it or sent it astray. A second copy takes
// 0.15 ms to read and compare, a sum made by JavaScript some milliseconds.
function keptCode(main, purpose) {
  var directory = codeDirectory()
  if (directory === undefined) return { file: undefined, needsWarmUp: true, parts: {} }
  var build = main.slice(0, 400).replace(/^[^]*?start-([\w-]+)\.cjs[^]*$/, '$1')
  var file = directory + '/' + purpose + '.' + process.version + '.' + build
  var parts = {}
  var needsWarmUp = true
  try {
    var bytes = onceOf(fs.readFileSync(file))
    var offset = bytes.indexOf(10) + 1
    var heading = JSON.parse(bytes.latin1Slice(0, offset))
    heading.parts.forEach(function (part) {
      parts[part[0]] = bytes.subarray(offset, offset + part[1])
      offset += part[1]
    })
    needsWarmUp = heading.needsWarmUp
    if (offset !== bytes.length) parts = {}
  } catch (error) {
    parts = {}
  }
  return { file: file, needsWarmUp: needsWarmUp, parts: parts }
}

function onceOf(twice) {
  var once = twice.subarray(0, twice.length / 2)
  if (!once.equals(twice.subarray(once.length))) throw new Error('damaged')
  return once
}

// Whole or not at all; code that cannot be kept is no reason to complain.
function keepCode(code, scripts) {
  var unfinished = code.file + '.' + process.pid
  try {
    Object.keys(scripts).forEach(function (name) {
      code.parts[name] = scripts[name].createCachedData()
    })
    var names = Object.keys(code.parts)
    var heading = {
      needsWarmUp: code.needsWarmUp,
      parts: names.map(function (name) {
        return [name, code.parts[name].length]
      }),
    }
    var parts = names.map(function (name) {
      return code.parts[name]
    })
    parts.unshift(Buffer.from(JSON.stringify(heading) + '\n'))
    // A power loss must not leave a file that is there and not whole.
    fs.writeFileSync(unfinished, Buffer.concat(parts.concat(parts)), { mode: 384, flush: true })
    fs.renameSync(unfinished, code.file)
    removeOld(path.dirname(code.file))
  } catch (error) {
    removeIfThere(unfinished)
  }
}

function removeIfThere(file) {
  try {
    fs.unlinkSync(file)
  } catch (error) {
    return
  }
}

// What builds that are no longer here have left; one that still is makes its own anew.
function removeOld(directory) {
  var monthAgo = Date.now() - 30 * 24 * 3600 * 1000
  fs.readdirSync(directory).forEach(function (name) {
    var file = directory + '/' + name
    if (fs.statSync(file).mtimeMs < monthAgo) fs.rmSync(file, { force: true })
  })
}

// A private directory, or undefined. Never one that somebody else owns or may write to (`sudo` may keep HOME): we
// would run what they put there.
function codeDirectory() {
  var home = process.env.XDG_CACHE_HOME || (process.env.HOME && process.env.HOME + '/.cache')
  if (!home || !path.isAbsolute(home)) return undefined
  var directory = home + '/jobmeter'
  try {
    var found = fs.statSync(directory, { throwIfNoEntry: false })
    return (found === undefined ? makeUnder(directory) : isOurs(found)) ? directory : undefined
  } catch (error) {
    // A home that we may not look into, or that runs in circles.
    return undefined
  }
}

function isOurs(found) {
  return found.uid === process.getuid() && (found.mode & 18) === 0
}

// One after the other: under /proc, where mkdir says that nothing is there, Node's own way of making them all never ends.
function makeUnder(directory) {
  var missing = []
  var at = directory
  for (; !fs.existsSync(at); at = path.dirname(at)) missing.unshift(at)
  // What is there by now, another jobmeter may have made since we looked: up to the directory itself.
  if (!isOurs(fs.statSync(at))) return false
  try {
    missing.forEach(function (each) {
      fs.mkdirSync(each, 448)
    })
    return true
  } catch (error) {
    return fs.existsSync(directory)
  }
}

function start() {
  var argv = process.argv.slice(2)
  var built = __dirname.slice(0, __dirname.lastIndexOf('/')) + '/dist/cli'
  var main
  try {
    main = fs.readFileSync(built + '/main.cjs', 'latin1')
  } catch (error) {
    if (error.code !== 'ENOENT') return fail('jobmeter cannot read its own files: ' + error.message)
    // A checkout that was not built yet runs from its sources.
    return require(path.join(__dirname, '../src/cli/main.ts')).main(argv)
  }
  var purpose = /^[a-z][a-z-]{0,19}$/.test(argv[0]) ? argv[0] : 'other'
  var loader = createLoader(built, main, purpose)
  var over = argv[0] === 'run' && loader.needsWarmUp ? warmUpCgroups() : undefined
  var warmUp = over === undefined ? undefined : { over: over, forgo: loader.forgoWarmUp }
  return loader.load('main.cjs').main(argv, warmUp)
}

function fail(message) {
  process.stderr.write(message + '\n')
  process.exitCode = 1
}

if (isNewEnough(process.versions.node)) {
  start()
} else {
  var needs = 'jobmeter needs Node 24.16 or newer of 24, or 26.1 or newer'
  var advice = 'install one, or in a checkout use npx jobmeter, which brings its own'
  fail(needs + ' (this is v' + process.versions.node + '): ' + advice)
}
