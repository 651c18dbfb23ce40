import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './product-process.ts'

/** Installed by `node scripts/helm-tools.mjs`, as .ci/run does. */
const TOOLS = join(root, '.helm-tools')
export const HELM = join(TOOLS, 'helm')
export const NO_HELM = existsSync(HELM) ? null : 'needs Helm: node scripts/helm-tools.mjs'

export type Manifest = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec?: unknown
}

type Fault = { readonly instancePath: string; readonly message?: string; readonly keyword?: string }
type Validate = ((data: unknown) => boolean) & { errors?: readonly Fault[] | null }

/** The name of a kind in the OpenAPI description of Kubernetes. */
function schemaOf({ apiVersion, kind }: Manifest): string {
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion]
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
  return `IoK8sApi${capital(group.split('.')[0] ?? '')}${capital(version ?? '')}${kind}`
}

/**
 * Faults that Kubernetes would refuse or ignore in a manifest. Its schemas allow unknown fields, which the server drops in
 * silence, so fields that the validator never reads are faults too.
 */
export async function faultsOf(manifest: Manifest): Promise<readonly string[]> {
  const file = join(TOOLS, 'node_modules/kubernetes-models/_schemas', `${schemaOf(manifest)}.js`)
  const { validate }: { readonly validate: Validate } = await import(pathToFileURL(file).href)
  const read = new Set<string>()
  validate(watched(manifest, '', read))
  const wrong = validate.errors ?? []
  // A validator stops reading at its first fault.
  if (wrong.length > 0) return wrong.map(({ instancePath, keyword, message }) => `${instancePath} ${message ?? keyword ?? ''}`)
  return pathsOf(manifest, '').filter((path) => !read.has(path))
}

function watched(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get(target, key) {
      const found: unknown = Reflect.get(target, key)
      if (typeof key === 'symbol') return found
      read.add(`${path}/${key}`)
      return watched(found, `${path}/${key}`, read)
    },
  })
}

const pathsOf = (value: unknown, path: string): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, one]) => [`${path}/${key}`, ...pathsOf(one, `${path}/${key}`)])
