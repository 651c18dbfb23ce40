import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { faultsOf, HELM, NO_HELM, type Manifest } from './support/kubernetes.ts'
import { root } from './support/product-process.ts'

const CHART = join(root, 'deploy/helm')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

type Values = Readonly<Record<string, unknown>>
const MINIMAL: Values = { secrets: { values: { DATABASE_URL: 'postgres://db/placard' } }, files: { size: '10Gi' } }
const FULL: Values = {
  image: { repository: 'registry.example/placard', digest: `sha256:${'0'.repeat(64)}` },
  imagePullSecrets: [{ name: 'pull' }],
  settings: { FILE_STORE_URL: 's3://files', PLACARD_PUBLIC_URL: 'https://ads.example', PLACARD_TRUST_PROXY: '10.0.0.0/8' },
  secrets: { existing: 'placard-secrets' },
  roles: {
    projector: { autoscaling: { enabled: true } },
    policies: { autoscaling: { enabled: true, cpu: 70 } },
    api: { autoscaling: { external: [{ name: 'placard_pool_waiting', averageValue: '5' }] } },
  },
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '1g' },
    hosts: ['ads.example', '*.ads.example'],
    tls: [{ hosts: ['ads.example'], secretName: 'ads-tls' }],
  },
  networkPolicy: { enabled: true, from: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }] },
  serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/placard' } },
  nodeSelector: { pool: 'work' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
  priorityClassName: 'high',
}

function helm(command: readonly string[], values: Values) {
  // JSON is YAML.
  const { status, stdout, stderr } = spawnSync(HELM, [...command, '--values', '-'], {
    input: JSON.stringify(values),
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}
function rendered(values: Values, more: readonly string[] = []): readonly Manifest[] {
  const { status, stdout, stderr } = helm(['template', 'ads', CHART, ...more], values)
  expect([status, stderr]).toEqual([0, ''])
  return parseAllDocuments(stdout).flatMap((document) => (document.contents === null ? [] : [document.toJS() as Manifest]))
}
const ofKind = (manifests: readonly Manifest[], kind: string) => manifests.filter((one) => one.kind === kind)

type Container = Readonly<Record<string, never>> & {
  readonly name: string
  readonly image: string
  readonly command?: readonly string[]
  readonly env: readonly { readonly name: string; readonly value: string }[] | null
  readonly securityContext: object
  readonly livenessProbe?: { readonly httpGet: object }
  readonly readinessProbe?: { readonly httpGet: object }
}
type Pod = {
  readonly terminationGracePeriodSeconds: number
  readonly securityContext: object
  readonly containers: readonly Container[]
  readonly volumes: readonly { readonly name: string; readonly persistentVolumeClaim?: { readonly claimName: string } }[]
}
const podOf = (manifest: Manifest): Pod => (manifest.spec as { template: { spec: Pod } }).template.spec

describe.skipIf(NO_HELM !== null)('the chart', () => {
  it.each([
    ['with the least', MINIMAL],
    ['with everything', FULL],
  ])('passes the linter %s, and Kubernetes knows every field of what it makes', async (_, values) => {
    const { status, stdout } = helm(['lint', CHART, '--strict', '--quiet'], values)
    expect([status, stdout.trim()]).toEqual([0, ''])
    const manifests = rendered(values)
    const faults = await Promise.all(
      manifests.map(async (one) => [`${one.kind} ${one.metadata.name}`, await faultsOf(one)] as const),
    )
    expect(faults.filter(([, found]) => found.length > 0)).toEqual([])
    const kinds = [...new Set(manifests.map(({ kind }) => kind))]
    for (const kind of ['Deployment', 'PodDisruptionBudget', 'HorizontalPodAutoscaler', 'Service', 'NetworkPolicy', 'Job'])
      expect(kinds).toContain(kind)
    expect(kinds.includes('Ingress')).toBe(values === FULL)
    expect(kinds.includes('Secret')).toBe(values === MINIMAL)
  })

  it('the chart is judged by a check that sees wrong types, and fields that Kubernetes ignores', async () => {
    const [first] = ofKind(rendered(MINIMAL), 'Deployment')
    if (first === undefined) throw new Error('there is no Deployment')
    const spec = first.spec as Readonly<Record<string, unknown>>
    expect(await faultsOf({ ...first, spec: { ...spec, replicas: 'two' } })).toEqual(['/spec/replicas type'])
    expect(await faultsOf({ ...first, spec: { ...spec, replica: 2 } })).toEqual(['/spec/replica'])
  })

  it('runs each role as the image does: without root, on a root that is read alone, and with time to stop', () => {
    const deployments = ofKind(rendered(MINIMAL), 'Deployment')
    const roles = deployments.map((one) => podOf(one).containers[0]?.env?.find(({ name }) => name === 'PLACARD_ROLE')?.value)
    expect(new Set(roles)).toEqual(new Set(['api', 'policies', 'projector']))
    const path = /http:\/\/127\.0\.0\.1:\$\{process\.env\.PORT\}(\/\S+?)`/.exec(read('deploy/Dockerfile'))?.[1]
    for (const { terminationGracePeriodSeconds, securityContext, containers, volumes } of deployments.map(podOf)) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } })
      expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(40)
      expect(containers).toHaveLength(1)
      expect(containers[0]?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(containers[0]?.livenessProbe?.httpGet).toEqual({ path, port: 'http' })
      expect(containers[0]?.readinessProbe?.httpGet).toEqual({ path: '/health/ready', port: 'http' })
      expect(volumes[0]?.persistentVolumeClaim?.claimName).toBe('ads-files')
    }
  })

  it('migrates before an upgrade, by a tool that the build has', () => {
    const [job] = ofKind(rendered(MINIMAL, ['--is-upgrade']), 'Job')
    if (job === undefined) throw new Error('there is no job')
    expect(job.metadata.annotations?.['helm.sh/hook']).toBe('pre-upgrade')
    const command = podOf(job).containers[0]?.command ?? []
    const tool = command.at(-1)?.replace('dist/server/', '').replace(/\.js$/, '.ts') ?? ''
    expect(existsSync(join(root, tool))).toBe(true)
    expect(ofKind(rendered({ ...MINIMAL, migrate: { enabled: false } }), 'Job')).toEqual([])
  })

  it('names its pods by a digest, and restarts them when a setting changes', () => {
    const images = ofKind(rendered(FULL), 'Deployment').map((one) => podOf(one).containers[0]?.image)
    expect(new Set(images)).toEqual(new Set([`registry.example/placard@sha256:${'0'.repeat(64)}`]))
    const mark = (values: Values) =>
      JSON.stringify(ofKind(rendered(values), 'Deployment')).match(/"placard\/settings":"(\w+)"/)?.[1]
    expect(mark(MINIMAL)).toMatch(/^[0-9a-f]{64}$/)
    expect(mark({ ...MINIMAL, settings: { LOG_LEVEL: 'info' } })).not.toBe(mark(MINIMAL))
  })

  it.each([
    ['no database', { files: { size: '1Gi' } }, 'secrets: set `existing`, or DATABASE_URL in `values`'],
    ['files that not every process sees', { secrets: MINIMAL['secrets'] }, 'files: set FILE_STORE_URL to s3://'],
    ['an ingress without a host', { ...MINIMAL, ingress: { enabled: true } }, 'ingress: name its hosts'],
    ['a setting that is none', { ...MINIMAL, settings: { PLACARD_PUBLIC_URI: 'https://x' } }, 'PLACARD_PUBLIC_URI'],
    ['a role that is none', { ...MINIMAL, roles: { worker: {} } }, 'worker'],
  ])('refuses %s', (_, values, why) => {
    const { status, stderr } = helm(['template', 'ads', CHART], values)
    expect(status).not.toBe(0)
    expect(stderr).toContain(why)
  })

  it('lets the Prometheus operator scrape every process, with the token of the metrics', () => {
    const manifests = rendered({ ...MINIMAL, serviceMonitor: { enabled: true } })
    const [monitor] = ofKind(manifests, 'ServiceMonitor')
    const spec = monitor?.spec as {
      selector: { matchLabels: Readonly<Record<string, string>> }
      endpoints: readonly { port: string; path: string; authorization: unknown }[]
    }
    expect(spec.endpoints).toMatchObject([
      { port: 'http', path: '/metrics', authorization: { credentials: { name: 'ads', key: 'PLACARD_SERVICE_TOKEN' } } },
    ])
    const scraped = ofKind(manifests, 'Service').filter(({ metadata: { labels } }) =>
      Object.entries(spec.selector.matchLabels).every(([key, value]) => labels?.[key] === value),
    )
    expect(scraped).toMatchObject([{ metadata: { name: 'ads-metrics' }, spec: { clusterIP: 'None' } }])
  })

  it('scales by metrics that processes have', () => {
    const known = read('api/http/metrics.ts')
    const names = JSON.stringify(ofKind(rendered(FULL), 'HorizontalPodAutoscaler')).match(/placard_\w+/g) ?? []
    expect(names.length).toBeGreaterThanOrEqual(3)
    for (const name of names) expect(known).toContain(`'${name}'`)
  })
})

describe('the values of the chart', () => {
  it('the values of the chart know every setting, in the order of the configuration, and the version', () => {
    const settings = [...read('api/config.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+): blank\(/gm)].map(([, name]) => name)
    expect(settings.length).toBeGreaterThan(30)
    const own = ['PORT', 'HOST', 'PLACARD_DATA_DIR', 'PLACARD_ROLE']
    const schema = JSON.parse(read('deploy/helm/values.schema.json')) as { definitions: { names: { enum: string[] } } }
    const ofLibraries = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION', 'NODE_EXTRA_CA_CERTS']
    expect(schema.definitions.names.enum).toEqual([...settings.filter((name) => !own.includes(name ?? '')), ...ofLibraries])
    const { version } = JSON.parse(read('package.json')) as { readonly version: string }
    expect(parse(read('deploy/helm/Chart.yaml'))).toMatchObject({ version, appVersion: version })
  })
})
