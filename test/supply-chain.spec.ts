import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './support/product-process.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn('npm', ['run', '--silent', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += String(chunk)))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out }
}

describe('the supply chain', () => {
  it('the supply chain has a bill of materials with the version of every package, and marks those for build and test', async () => {
    const { code, out } = await run(['sbom'])
    expect(code).toBe(0)
    type Component = {
      readonly name: string
      readonly version: string
      readonly properties: readonly { readonly name: string }[]
    }
    const bill: { bomFormat: string; components: readonly Component[] } = JSON.parse(out)
    expect(bill.bomFormat).toBe('CycloneDX')
    const versions = new Map(bill.components.map(({ name, version }) => [name, version]))
    const isForDevelopment = (wanted: string) =>
      bill.components
        .filter(({ name }) => name === wanted)
        .every(({ properties }) => properties.some(({ name }) => name === 'cdx:npm:package:development'))
    const { dependencies }: Record<string, Record<string, string>> = JSON.parse(read('package.json'))
    expect(versions.get('fastify')).toBe(dependencies?.['fastify'])
    expect(Object.keys(dependencies ?? {}).filter((name) => !versions.has(name))).toEqual([])
    expect([isForDevelopment('vitest'), isForDevelopment('fastify')]).toEqual([true, false])
  })

  it('the supply chain has a report of known vulnerabilities, which says when the registry did not respond', async () => {
    const version: string = JSON.parse(read('package.json')).dependencies.fastify
    const packument = { name: 'fastify', versions: { [version]: { name: 'fastify', version } }, 'dist-tags': {} }
    const answered = async (status: number, body: object) => {
      const registry = createServer((request, response) => {
        request.resume()
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(request.method === 'GET' ? packument : body))
      }).listen(0, '127.0.0.1')
      await new Promise((resolve) => registry.once('listening', resolve))
      const { port } = registry.address() as AddressInfo
      const found = await run(['audit:packages'], {
        npm_config_registry: `http://127.0.0.1:${port}`,
        npm_config_fetch_retries: '0',
      })
      registry.close()
      return found
    }
    const advisory = { id: 1, url: 'https://advisories.example/1', title: 'Bad', severity: 'high', vulnerable_versions: '*' }
    expect(await answered(200, {})).toEqual({ code: 0, out: 'No known vulnerability in any package.\n' })
    const found = await answered(200, { fastify: [advisory] })
    expect([found.code, found.out]).toEqual([0, expect.stringContaining('fastify *: high')])
    expect(await answered(405, {})).toEqual({
      code: 0,
      out: 'Packages were not audited: the registry does not support audits.\n',
    })
  })

  it('pins the images of docker-compose.yml to exact versions and runs the product without root', () => {
    const text = read('docker-compose.yml')
    const images = [...text.matchAll(/^ +image: (\S+)$/gm)].map(([, image]) => image ?? '')
    expect(images).toHaveLength(5)
    for (const image of images)
      expect(image).toMatch(image.startsWith('postgres:') ? /:\d+\.\d+$/ : /:\d+(\.\d+){2,3}(-[a-z-]+)?(@sha256:[\da-f]{64})?$/)
    const users = [...text.matchAll(/^ +user: (\S+)$/gm)].map(([, user]) => user)
    expect(users).toEqual([`'1000:1000'`, `'0:0'`, 'postgres', `'1000:1000'`, `'101:101'`])
    expect(text).not.toMatch(/ports: \['(?!127\.0\.0\.1:)/)
  })

  it('passes every setting to the containers of docker-compose.yml, and starts the image of this version', () => {
    const settings = [...read('api/config.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+): blank\(/gm)].map(([, name]) => name)
    expect(settings.length).toBeGreaterThan(30)
    const [, passed = ''] = read('docker-compose.yml').split('x-environment: &environment\n')
    const own = ['PORT', 'HOST', 'DATABASE_URL', 'PLACARD_DATA_DIR', 'PLACARD_ROLE']
    const lines = passed.split('\nservices:')[0]?.match(/^ {2}([A-Z0-9_]+): \$\{\1:-\}$/gm) ?? []
    // In the order of the configuration, so that one that is missing is seen.
    // What packages read from the environment themselves: the SDK of S3 and KMS, and Node.js.
    const others = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION', 'NODE_EXTRA_CA_CERTS']
    const passedOn = [...settings.filter((name) => !own.includes(name ?? '')), ...others]
    expect(lines.map((line) => line.trim().split(':')[0])).toEqual(passedOn)
    for (const name of others) expect(read('deploy/helm/values.schema.json')).toContain(`"${name}"`)
    expect(read('docker-compose.yml')).toContain("'./deploy/ca:/ca:ro'")
    const { version } = JSON.parse(read('package.json')) as { readonly version: string }
    expect(read('docker-compose.yml')).toContain(`image: placard:${version}\n`)
    expect(read('deploy/Dockerfile')).toContain(`image.version="${version}"`)
  })

  it('builds the image without root, on exact versions, and without what is secret or not needed', () => {
    const text = read('deploy/Dockerfile')
    const images = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)
    // One image, which no registry can replace.
    expect(new Set(images).size).toBe(1)
    expect(images[0]).toMatch(/^node:26\.10\.0-trixie-slim@sha256:[\da-f]{64}$/)
    expect(read('docker-compose.yml')).toContain(`image: ${images[0]}\n`)
    expect(text.split(/^FROM /m).at(-1)).toMatch(/^USER 1000:1000$[^]*^HEALTHCHECK /m)
    const left = read('deploy/Dockerfile.dockerignore').split('\n')
    for (const name of ['.env', '.git', '.placard', 'node_modules', 'dist']) expect(left).toContain(name)
  })

  it('starts and stops under systemd as it does in a container, without a capability', () => {
    const unit = read('deploy/systemd/placard@.service')
    const settings = new Map(
      unit.split('\n').flatMap((line) => [/^(\w+)=(.*)$/.exec(line)?.slice(1) as [string, string]].filter(Boolean)),
    )
    const command: string[] = JSON.parse(
      /^CMD (\[.*\])$/m.exec(read('deploy/Dockerfile').split('HEALTHCHECK').at(-1) ?? '')?.[1] ?? '[]',
    )
    expect(settings.get('ExecStart')).toBe(`/usr/bin/${command.join(' ')}`)
    const compose = read('docker-compose.yml')
    const inCompose = (key: string) => new RegExp(`^  ${key}: (\\w+)$`, 'm').exec(compose)?.[1]
    expect([settings.get('TimeoutStopSec'), settings.get('MemoryMax'), settings.get('TasksMax')]).toEqual([
      inCompose('stop_grace_period'),
      inCompose('mem_limit')?.toUpperCase(),
      inCompose('pids_limit'),
    ])
    expect([settings.get('User'), settings.get('CapabilityBoundingSet'), settings.get('ProtectSystem')]).toEqual([
      'placard',
      '',
      'strict',
    ])
    expect(read('deploy/systemd/placard.conf')).toContain(`\nu ${settings.get('User')} - `)
    expect(unit).toContain(`PLACARD_DATA_DIR=/var/lib/${settings.get('StateDirectory')}\n`)
  })

  const analyze = (...args: readonly string[]) => spawnSync('systemd-analyze', args, { cwd: root, encoding: 'utf8' })
  it.skipIf(analyze('--version').error !== undefined)(
    'the supply chain has a unit that systemd reads without a complaint and rates as safe',
    () => {
      const unit = 'deploy/systemd/placard@.service'
      const { status, stdout, stderr } = analyze('verify', unit)
      expect([status, stdout, stderr]).toEqual([0, '', ''])
      // In tenths of its exposure, from 0 to 100.
      expect(analyze('security', '--offline=true', '--threshold=20', unit).status).toBe(0)
    },
  )

  it('lists the licence of every library without a permissive one', () => {
    const lock: { packages: Record<string, { license?: string; dev?: boolean }> } = JSON.parse(read('package-lock.json'))
    const copyleft = Object.entries(lock.packages).filter(
      ([, { license = '', dev }]) => dev !== true && /GPL|MPL|EPL|CDDL/.test(license) && !/ OR /.test(license),
    )
    const names = [
      ...new Set(copyleft.map(([path]) => path.replace(/^.*node_modules\//, '').replace(/(sharp(-libvips)?)-.*/, '$1'))),
    ]
    const notice = read('NOTICE')
    for (const name of names) expect([name, notice.includes(name)]).toEqual([name, true])
    expect(names).toContain('@img/sharp-libvips')
  })
})
