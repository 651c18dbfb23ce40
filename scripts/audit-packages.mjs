// Reports known vulnerabilities of the packages that run in production: `npm run audit:packages`. A report, no gate: it always
// ends with 0.
import { spawnSync } from 'node:child_process'

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', shell: process.platform === 'win32' })

function read(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

const { vulnerabilities, error } = read(stdout ?? '')
if (vulnerabilities === undefined || error !== undefined)
  console.log('Packages were not audited: the registry does not support audits.')
else {
  const found = Object.values(vulnerabilities)
  console.log(
    found.length === 0 ? 'No known vulnerability in any package.' : `Known vulnerabilities in ${found.length} packages:`,
  )
  for (const { name, severity, range } of found) console.log(`  ${name} ${range}: ${severity}`)
}
