// `npm run release -- 0.2.0`: makes a version out of what main is. Writes the version where it stands, dates its part of the changelog,
// commits, tags, and puts a bill of materials beside it; with docker it builds the image. Nothing is pushed.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = process.env.RELEASE_ROOT ?? join(import.meta.dirname, '..')
const OPEN = /^## (\S+) – unreleased$/m
/** Where the version stands, beside package.json and its lock. */
const NAMED = ['deploy/Dockerfile', 'docker-compose.yml', 'docs/operating.md', 'deploy/helm/Chart.yaml']

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const read = (file) => readFileSync(join(root, file), 'utf8')
const write = (file, text) => writeFileSync(join(root, file), text)

function refuse(why) {
  console.error(why)
  process.exit(1)
}

/** Whether version `one` comes before `other`, both three numbers. */
function isBefore(one, other) {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number))
  const place = a.findIndex((number, i) => number !== b[i])
  return place !== -1 && a[place] < b[place]
}

const version = process.argv[2] ?? ''
const before = JSON.parse(read('package.json')).version
const changelog = read('CHANGELOG.md')
const tag = `v${version}`
if (!/^\d+\.\d+\.\d+$/.test(version)) refuse('npm run release -- <version>, for example 0.2.0')
if (git('tag', '--list', tag) !== '') refuse(`${tag} exists`)
if (!isBefore(before, version)) refuse(`${version} does not come after ${before}, which package.json has`)
if (git('status', '--porcelain') !== '') refuse('commit or remove your changes first: a release is what main is')
if (git('branch', '--show-current') !== 'main') refuse('releases are made on main')
const open = OPEN.exec(changelog)
if (open === null) refuse('CHANGELOG.md has no part `## <version> – unreleased`')

const [begin, day] = [open.index, new Date().toISOString().slice(0, 10)]
const dated = changelog.slice(0, begin) + changelog.slice(begin).replace(OPEN, `## ${version} – ${day}`)
write('CHANGELOG.md', dated)
for (const file of NAMED) write(file, read(file).replaceAll(before, version))
for (const file of ['package.json', 'package-lock.json']) {
  // The lock has the version twice at its top, and those of packages below.
  let left = file === 'package.json' ? 1 : 2
  write(
    file,
    read(file).replaceAll(`"version": "${before}"`, (found) => (left-- > 0 ? `"version": "${version}"` : found)),
  )
}
git('commit', '--all', '--message', `Release ${version}`)
const next = dated.indexOf('\n## ', begin + 1)
const notes = dated.slice(begin, next === -1 ? undefined : next).trim()
execFileSync('git', ['tag', '--annotate', tag, '--cleanup=verbatim', '--file', '-'], {
  cwd: root,
  input: `Placard ${version}\n\n${notes}\n`,
})

const folder = join(root, 'dist', 'release')
mkdirSync(folder, { recursive: true })
const materials = join(folder, `placard-${version}.cdx.json`)
if (existsSync(join(root, 'package-lock.json'))) {
  const format = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only', '--omit', 'dev']
  writeFileSync(materials, execFileSync('npm', ['sbom', ...format], { cwd: root, maxBuffer: 2 ** 28 }))
}
console.log(`${tag} is the commit ${git('rev-parse', '--short', tag + '^{commit}')}; its bill of materials is ${materials}`)

const docker = (...args) => execFileSync('docker', args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
try {
  execFileSync('docker', ['version'], { stdio: 'ignore' })
} catch {
  console.log(`There is no docker here. The image: docker build -f deploy/Dockerfile -t placard:${version} . at ${tag}`)
  process.exit(0)
}
docker('build', '--file', 'deploy/Dockerfile', '--tag', `placard:${version}`, '--sbom=true', '--provenance=mode=max', '.')
