import { appendFileSync } from 'node:fs'

/** More tests than these that passed at their second try fail the run: chance is then the rule. */
const MOST_RETRIED = 2

/** The last lines of a run: where its time went, what it left out, what passed only at the second try, and the counts. */
export class Summary {
  began = performance.now()

  /** Whether nothing failed and few tests were tried again. */
  passed = false

  /** TEST_RESULTS names a file: a line for each file that ended, so that a run which is broken off tells what it found. */
  onTestModuleEnd(module) {
    const { TEST_RESULTS: file } = process.env
    if (file === undefined) return
    const failed = failuresOf(module)
    appendFileSync(file, `${JSON.stringify({ file: module.relativeModuleId, failed })}\n`)
  }

  onTestRunEnd(modules, unhandled, reason) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const inState = (state) => tests.filter((test) => test.result().state === state)
    const retried = tests.filter((test) => test.diagnostic()?.flaky === true)
    // A run can fail without a failed test.
    const failures = modules.flatMap(failuresOf)
    const failed = Math.max(failures.length, reason === 'passed' && unhandled.length === 0 ? 0 : 1)
    const skipped = inState('skipped')
    this.passed = failed === 0 && retried.length <= MOST_RETRIED

    const seconds = ((performance.now() - this.began) / 1000).toFixed(0)
    console.log(
      [
        `Time by project, of ${seconds} s (workers run beside each other):`,
        ...timesOf(modules),
        ...listed('Skipped:', groupsOf(skipped)),
        ...listed(
          'Failed:',
          failures.map((name) => `  ${name}`),
        ),
        ...listed('Passed at the second try, after a time-out:', retried.map(nameOf)),
        ...(retried.length > MOST_RETRIED ? [`  More than ${MOST_RETRIED} of these fail the run.`] : []),
        '',
        `${inState('passed').length} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`,
      ].join('\n'),
    )
  }
}

/** The tests of a file that failed; the file itself where none of them says so, such as by an import that is missing. */
function failuresOf(module) {
  const failed = [...module.children.allTests()].filter((test) => test.result().state === 'failed')
  if (failed.length > 0) return failed.map((test) => nameOf(test).trim())
  return module.ok() ? [] : [`${module.relativeModuleId} could not run`]
}

const nameOf = (test) => `  ${test.module.relativeModuleId} > ${test.fullName}`

const listed = (title, lines) => (lines.length === 0 ? [] : ['', title, ...lines])

/** A line for each project: seconds of its files, the longest project first. */
function timesOf(modules) {
  const projects = new Map()
  for (const module of modules) {
    const { files, tests, seconds } = projects.get(module.project.name) ?? { files: 0, tests: 0, seconds: 0 }
    const its = { files: files + 1, tests: tests + [...module.children.allTests()].length, seconds: seconds + secondsOf(module) }
    projects.set(module.project.name, its)
  }
  return [...projects]
    .sort(([, a], [, b]) => b.seconds - a.seconds)
    .map(
      ([name, its]) =>
        `  ${name.padEnd(14)}${its.seconds.toFixed(0).padStart(6)} s in ${its.files} files with ${its.tests} tests`,
    )
}

function secondsOf(module) {
  const { collectDuration, duration, environmentSetupDuration, setupDuration } = module.diagnostic()
  return (collectDuration + duration + environmentSetupDuration + setupDuration) / 1000
}

/** The files or groups whose tests were skipped, and how many. */
function groupsOf(skipped) {
  const groups = new Map()
  for (const { module, parent, name } of skipped) {
    const group = `${module.relativeModuleId}: ${parent.type === 'suite' ? parent.fullName : name}`
    groups.set(group, (groups.get(group) ?? 0) + 1)
  }
  return [...groups].map(([group, count]) => `  ${group}${count > 1 ? ` (${count})` : ''}`)
}
