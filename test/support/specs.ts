import { execFileSync } from 'node:child_process'
import { relative } from 'node:path'
import { root } from './product-process.ts'

/** The projects of the deep circle. */
export const DEEP = ['deep', 'late', 'alone', 'e2e-deep']

/** Every spec, from the root of the repository, with the projects of the test runner that run it. */
export function projectsOfSpecs(): ReadonlyMap<string, readonly string[]> {
  const list = execFileSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json'], { cwd: root })
  const files: readonly { readonly file: string; readonly projectName: string }[] = JSON.parse(String(list))
  const projects = new Map<string, readonly string[]>()
  for (const { file, projectName } of files) {
    const spec = relative(root, file)
    projects.set(spec, [...(projects.get(spec) ?? []), projectName])
  }
  return projects
}
