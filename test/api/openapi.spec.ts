import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { lintFromString, loadConfig } from '@redocly/openapi-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '#api/areas/index'
import { PASSWORD, sharedProduct, type TestProduct } from '../support/product.ts'
import { root } from '../support/product-process.ts'

const run = promisify(execFile)
const GENERATOR = join(root, '.openapi-tools/node_modules/openapi-typescript/bin/cli.js')

type Operation = { readonly operationId: string; readonly tags: readonly string[]; readonly summary: string }
type Document = {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, object> }
}

describe('the OpenAPI document', () => {
  let product: TestProduct
  let text = ''
  let document: Document
  beforeAll(async () => {
    product = await sharedProduct()
    text = await (await fetch(`${product.base}/openapi.json`)).text()
    document = JSON.parse(text)
  })

  it('passes redocly lint without a warning, by the rules of redocly.yaml', async () => {
    const problems = await lintFromString({ source: text, config: await loadConfig({ configPath: join(root, 'redocly.yaml') }) })
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  })

  it('describes every endpoint once, under a documented tag', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(ENDPOINTS.map(({ id }) => id).sort())
    const tags = new Map(document.tags.map(({ name, description }) => [name, description]))
    for (const operation of operations) expect(tags.get(operation.tags[0] ?? '')).toMatch(/\w/)
  })

  it.each(['/docs/json', '/docs/yaml'])('the OpenAPI document is at %s too', async (path) => {
    const answer = await fetch(product.base + path)
    expect([answer.status, await answer.json()]).toEqual([200, document])
  })

  it('names the schemas that clients use', () => {
    const names = Object.keys(document.components.schemas)
    for (const name of ['Campaign', 'CampaignInput', 'CampaignRow', 'User', 'Fault', 'StoredFile', 'RuleGroupInput'])
      expect(names).toContain(name)
  })

  // Installed by `node scripts/openapi-tools.mjs`, as .ci/run does.
  it.skipIf(!existsSync(GENERATOR))('generates a typed client that compiles and saves a campaign', async () => {
    // Inside the repository, so that the generated code finds its packages.
    const folder = join(root, '.openapi-tools/story')
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'openapi.json'), text)
    copyFileSync(join(root, 'test/openapi/story.ts'), join(folder, 'story.ts'))
    const options = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, allowImportingTsExtensions: true }
    const types = { skipLibCheck: true, types: ['node'], erasableSyntaxOnly: true }
    const tsconfig = { compilerOptions: { ...options, ...types }, files: ['story.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    await run(process.execPath, [GENERATOR, 'openapi.json', '-o', 'placard.d.ts'], { cwd: folder })
    await run('npx', ['--no-install', 'tsc', '-p', folder], { cwd: root })
    const { stdout } = await run(process.execPath, ['--import', 'tsx', join(folder, 'story.ts'), product.base, PASSWORD], {
      cwd: root,
    })
    expect(JSON.parse(stdout)).toEqual({ name: 'Renamed', budget: 25, stale: 140, listed: ['Renamed'], archived: 5 })
  })
})
